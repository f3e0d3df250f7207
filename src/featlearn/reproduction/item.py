"""Items to reproduce: a table, a figure, a study. What each gives: ledger rows and figures."""

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
    from featlearn.figures.story import Story
    from featlearn.results.ledger import Row


@dataclass(frozen=True, kw_only=True)
class Context:
    """How to reproduce: at which size, in which lab, with which data and progress bar."""

    size: Size
    """"quick" (minutes on two cores for all papers together) or "full"."""
    lab: "Lab"
    """Where experiments are run and numbers computed."""
    data: Path | None = None
    """Folder of image files, for items that use them."""
    watch: "Watch | None" = None

    @property
    def quick(self) -> bool:
        """Whether the small size is asked for."""
        return self.size == "quick"


@dataclass(frozen=True, kw_only=True)
class Reproduction:
    """What came out of an item."""

    rows: "tuple[Row, ...]" = ()
    figures: "tuple[Figure, ...]" = ()
    notes: tuple[str, ...] = ()
    """Paragraphs a reader should see beside it."""
    config: dict[str, object] = field(default_factory=dict)
    """The configuration that was run, for the report's table."""
    story: "Story | None" = None
    """How its neurons become features, for the comparison of papers; of the headline's item."""


@dataclass(frozen=True)
class Setting:
    """A setting of the paper's own, to be held against the hypotheses of one of its statements."""

    label: str
    """What the paper did with it: "figure 1, left"."""
    statement: str
    """The name of the statement in the same paper: "theorem-1"."""
    config: Callable[[], Dataclass]
    """Makes a configuration of that statement."""


@dataclass(frozen=True, kw_only=True)
class Item:
    """A table, figure or study of a paper that can be reproduced by its id."""

    id: str
    title: str
    reproduce: Callable[[Context], Reproduction]
    references: tuple[str, ...] = ()
    data: Callable[[Path | None], str] | None = None
    """For an item on image files: looks at those in a folder (none: the default ones), refuses
    damaged ones, and names the others by a checksum; an outcome of other files is not read."""
    settings: tuple[Setting, ...] = ()
    """What the paper ran, for `featlearn scope`."""
    gpu: bool = False
    """Whether its full size needs a GPU; without one the quick size is made in its place."""
