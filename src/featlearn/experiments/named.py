"""Named experiments: a configuration with an id. Light, so that the command line starts at once."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from featlearn.experiments.experiment import Experiment


@runtime_checkable
class Config(Protocol):
    """A frozen dataclass of plain values that can build its experiment."""

    def experiment(self) -> "Experiment":
        """Distribution, network, training and recording, put together."""
        ...


@dataclass(frozen=True, kw_only=True)
class NamedExperiment:
    """An experiment one can run by its id."""

    id: str
    title: str
    config: Any
    """The default configuration (a `Config`)."""
    references: tuple[str, ...] = ()
    """Keys of references.bib."""
