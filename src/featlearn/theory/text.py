r"""What a statement says, as text: claim, hypotheses and constants, as printed and corrected.

A *constant* is one unknown: a symbol that the paper leaves open, prints, or fixes in its proof. It
has a role, the direction in which it makes the claim weaker, and up to three values: as printed, as
the proof has it, and as it is run here.
"""

import enum
from dataclasses import dataclass
from typing import Literal

from featlearn._check import require


class Reading(enum.Enum):
    """How the constants of a statement are read; the value says whose numbers they are."""

    PRINTED = "the numbers that the paper prints"
    PROOF = "the numbers of the proof"
    CORRECTED = "the claim with its slips mended"
    RUN = "the numbers that are run here"


class Role(enum.Enum):
    """Where a constant stands in a statement."""

    HYPOTHESIS = "hypothesis"
    CONCLUSION = "conclusion"
    PROBABILITY = "probability"
    SIZE = "size"
    """A time, a width or a number of samples from which on the claim speaks."""


@dataclass(frozen=True, kw_only=True)
class Unknown:
    """A constant that a statement names: one symbol, one unknown.

    A value is a number, or a formula in TeX where it depends on the setting; None where there is
    none. Numbers enter the hypotheses that name the symbol.
    """

    symbol: str
    """In TeX. Hypotheses name it in their `constant`."""
    role: Role
    weaker: Literal["up", "down"]
    """Where it moves as the claim gets weaker."""
    printed: float | str | None = None
    proof: float | str | None = None
    line: str = ""
    """Where the proof fixes it."""
    run: float | str | None = None
    """The value that is used here."""

    def compared(self) -> str:
        """How the value that is run compares with the proof's.

        Example:
            >>> C = Unknown(symbol="C", role=Role.HYPOTHESIS, weaker="up", proof=150.0, run=1.0)
            >>> C.compared()
            'stronger'
        """
        run, proof = self.run, self.printed if self.proof is None else self.proof
        if not isinstance(run, int | float) or not isinstance(proof, int | float):
            return "incomparable"
        if run == proof:
            return "equal"
        return "weaker" if (run > proof) == (self.weaker == "up") else "stronger"


@dataclass(frozen=True, kw_only=True)
class Text:
    """A statement as the paper has it; formulas between dollar signs, in TeX."""

    printed: str
    corrected: str = ""
    """The claim with its slips mended; empty where the print is right."""
    hypotheses: tuple[str, ...] = ()
    """Formulas in TeX, without dollar signs, or plain words."""
    constants: tuple[Unknown, ...] = ()
    uses: tuple[str, ...] = ()
    """The statements that its proof rests on, by their names in the paper's list."""

    def __post_init__(self) -> None:
        symbols = [each.symbol for each in self.constants]
        require(len(set(symbols)) == len(symbols), "text", "each symbol once", symbols)

    def constant(self, symbol: str) -> Unknown | None:
        """The constant of that symbol."""
        return next((each for each in self.constants if each.symbol == symbol), None)

    @property
    def hidden(self) -> tuple[Unknown, ...]:
        """The constants that the paper does not print."""
        return tuple(each for each in self.constants if each.printed is None)


NO_TEXT = Text(printed="")
"""That of a statement of a user's own that has none."""
