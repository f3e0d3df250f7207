"""Named experiments: a configuration with an id. Light, so that the command line starts at once."""

from dataclasses import dataclass, is_dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from featlearn._check import require

if TYPE_CHECKING:
    from featlearn.experiments.experiment import Experiment, Planned


@runtime_checkable
class Config(Protocol):
    """A frozen dataclass of plain values that can build its experiment."""

    def experiment(self) -> "Experiment | Planned":
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

    def __post_init__(self) -> None:
        require(
            is_dataclass(self.config) and isinstance(self.config, Config),
            f"NamedExperiment({self.id!r})",
            "a config that is a dataclass with the method experiment()",
            type(self.config).__name__,
        )


def seed_range(seeds: int, first_seed: int) -> list[int]:
    """The seeds asked for, checked.

    Example:
        >>> seed_range(3, 5)
        [5, 6, 7]
    """
    require(seeds >= 1, "seeds", "at least 1", seeds)
    last = first_seed + seeds - 1
    require(first_seed >= 0, "first-seed", "0 or more", first_seed)
    require(last < 2**31, "first-seed + seeds", "at most 2^31", last + 1)
    return list(range(first_seed, last + 1))
