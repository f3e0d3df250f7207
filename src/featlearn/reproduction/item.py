"""Items to reproduce: each is a table, a figure or a study of a paper, and yields ledger rows and
figures.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from featlearn._choices import Size
from featlearn._config import Dataclass

if TYPE_CHECKING:
    from featlearn.experiments.lab import Lab
    from featlearn.experiments.scheduler import Watch
    from featlearn.figures.record import Figure
    from featlearn.figures.story import SignalHistory
    from featlearn.results.ledger import Row


@dataclass(frozen=True, kw_only=True)
class Context:
    """The circumstances in which an item is reproduced: size, lab, data and progress callback."""

    size: Size
    """"quick" (minutes on two cores for all papers together) or "full"."""
    lab: "Lab"
    """The lab that trains and computes."""
    data: Path | None = None
    """Folder of image files, for items that use them."""
    watch: "Watch | None" = None

    @property
    def quick(self) -> bool:
        """Whether the size is "quick"."""
        return self.size == "quick"


@dataclass(frozen=True, kw_only=True)
class Reproduction:
    """The result of reproducing an item: its ledger rows, figures, notes and settings."""

    rows: "tuple[Row, ...]" = ()
    figures: "tuple[Figure, ...]" = ()
    notes: tuple[str, ...] = ()
    """Paragraphs that the report shows with it."""
    config: dict[str, object] = field(default_factory=dict)
    """The configuration that was run, for the report's table."""
    story: "SignalHistory | None" = None
    """How its neurons become features, for the report's comparison of papers; one item per paper
    has it."""


@dataclass(frozen=True)
class Setting:
    """A setting that the authors of a paper ran, which is compared with the hypotheses of a
    statement.
    """

    label: str
    """Where the paper uses it: "figure 1, left"."""
    statement: str
    """The name of a statement of the same paper: "theorem-1"."""
    config: Callable[[], Dataclass]
    """Returns the setting as a configuration of that statement."""


@dataclass(frozen=True, kw_only=True)
class Item:
    """A table, figure or study of a paper that can be reproduced by its id."""

    id: str
    title: str
    reproduce: Callable[[Context], Reproduction]
    references: tuple[str, ...] = ()
    data: Callable[[Path | None], str] | None = None
    """For an item on image files: checks the files in a folder (None is the default folder), raises
    `InputError` for damaged ones, and returns their checksum, which is part of the item's key."""
    settings: tuple[Setting, ...] = ()
    """The settings that the paper ran, for `featlearn scope`."""
    gpu: bool = False
    """Whether its full size needs a GPU; without one the quick size is computed instead."""
