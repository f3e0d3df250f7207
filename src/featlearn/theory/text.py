r"""The text of a statement: claim, hypotheses and constants, as printed and as corrected.

A *constant* is a symbol whose value the paper leaves open, prints, or fixes in its proof. It has a
role, the direction in which it makes the claim weaker, and up to three values: the printed one,
the one in the proof, and the one that is used in our runs.
"""

import enum
from dataclasses import dataclass
from typing import Literal

from featlearn._check import require, require_one_of


class Reading(enum.Enum):
    """The ways to read the constants of a statement; the text of each says which values are
    used.
    """

    PRINTED = "the numbers that the paper prints"
    PROOF = "the numbers of the proof"
    CORRECTED = "the claim with its slips mended"
    RUN = "the numbers that are run here"


class Role(enum.Enum):
    """The place of a constant in a statement, such as a hypothesis."""

    HYPOTHESIS = "hypothesis"
    CONCLUSION = "conclusion"
    PROBABILITY = "probability"
    SIZE = "size"
    """A time, a width or a number of samples from which on the claim holds."""


@dataclass(frozen=True, kw_only=True)
class Unknown:
    """A constant of a statement: its symbol, its role and its values.

    A value is a number, or a formula in TeX if it depends on the setting, or None. Numbers are used
    in the hypotheses that name the symbol.
    """

    symbol: str
    """The symbol in TeX, which hypotheses give as their `constant`."""
    role: Role
    weaker: Literal["up", "down"]
    """The direction in which the constant makes the claim weaker."""
    printed: float | str | None = None
    proof: float | str | None = None
    line: str = ""
    """Where in the proof its value is fixed."""
    run: float | str | None = None
    """The value that is used in our runs."""

    def __post_init__(self) -> None:
        require_one_of(self.weaker, ("up", "down"), f"Unknown {self.symbol}: weaker")

    def compared(self) -> str:
        """Return, as a word, how the value in our runs compares with the value in the proof.

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
    """The text of a statement; formulas are TeX between dollar signs."""

    printed: str
    """The claim as printed."""
    corrected: str = ""
    """The claim with its misprints corrected; empty if the printed claim is right."""
    hypotheses: tuple[str, ...] = ()
    """Formulas in TeX, without dollar signs, or plain words."""
    constants: tuple[Unknown, ...] = ()
    """The constants, with their role and their value in each reading."""
    uses: tuple[str, ...] = ()
    """The statements that its proof uses, by their names in the paper's list."""

    def __post_init__(self) -> None:
        symbols = [each.symbol for each in self.constants]
        require(len(set(symbols)) == len(symbols), "text", "each symbol once", symbols)

    def constant(self, symbol: str) -> Unknown | None:
        """Return the constant with the given symbol; None if there is none."""
        return next((each for each in self.constants if each.symbol == symbol), None)

    @property
    def hidden(self) -> tuple[Unknown, ...]:
        """The constants that the paper does not print."""
        return tuple(each for each in self.constants if each.printed is None)


NO_TEXT = Text(printed="")
"""The text of a statement that has none, such as a user's own."""
