"""Turn everything that can be run (ids, configurations, experiments, functions) into a named
experiment.

A configuration is a frozen dataclass of plain values with a method `experiment()`. A function that
returns an experiment is turned into a configuration, whose fields are its keyword arguments. This
module imports nothing heavy, so that the command line starts quickly.
"""

import dataclasses
import inspect
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast, runtime_checkable

from featlearn._check import InputError, is_whole, require
from featlearn._config import Dataclass, TypeForm, fields, plain

if TYPE_CHECKING:
    import typing_extensions

    from featlearn.experiments.experiment import Experiment, PlannedRun


MOST_SEEDS = 10**6
"""Seeds of a run."""


@runtime_checkable
class Config(Dataclass, Protocol):
    """A frozen dataclass of plain values that can build its experiment."""

    def experiment(self) -> "Experiment | PlannedRun":
        """Build the experiment of this configuration."""
        ...


if TYPE_CHECKING:  # unsaid it is any
    Built = typing_extensions.TypeVar("Built", bound=Config, default=Any)
else:
    Built = TypeVar("Built")
"""The class of the configuration of a named experiment."""


@dataclass(frozen=True, kw_only=True)
class NamedExperiment(Generic[Built]):
    """An experiment that has an id, a title and a default configuration."""

    id: str
    """Its id: paper.name."""
    title: str
    """What it shows, in one line."""
    config: Built
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


def is_value(target: object) -> bool:
    """Return whether the object is itself an experiment, and not something that builds one."""
    # Its type is asked, because an error inside one of these properties is not an answer.
    return hasattr(type(target), "plan") and hasattr(type(target), "reductions")


def runnable(target: object) -> bool:
    """Return whether `named` accepts the object."""
    if isinstance(target, type):
        return False
    configured = is_dataclass(target) and isinstance(target, Config)
    return isinstance(target, NamedExperiment) or is_value(target) or configured or callable(target)


def named(target: object) -> NamedExperiment:
    """Turn anything that can be run into a `NamedExperiment`.

    Example:
        >>> def xor(d: int = 32, eta: float = 0.2): ...
        >>> named(xor).id, named(xor).config.d
        ('xor', 32)
    """
    if isinstance(target, NamedExperiment):
        return target
    require(
        runnable(target),
        "run",
        "an id, an experiment, or a function with keyword fields that returns one",
        target.__name__ if isinstance(target, type) else repr(target),
    )
    if is_value(target):
        return NamedExperiment(id="experiment", title="", config=_value_config(target))
    if is_dataclass(target):
        return NamedExperiment(id=type(target).__name__, title="", config=cast(Config, target))
    name = getattr(target, "__name__", type(target).__name__).strip("<>")
    return NamedExperiment(
        id=name,
        title=_first_line(target),
        config=_function_config(cast(Callable[..., object], target)),
    )


class Required:
    """The type of `REQUIRED`, the default of a field that the user must set."""

    def __repr__(self) -> str:
        return "required"


REQUIRED = Required()


def _value_config(value: object) -> Config:
    """Return a configuration without fields, whose experiment is `value`."""

    methods = {"experiment": lambda self: value}
    return _make_config("Given", [], methods, (value,))


def _function_config(function: Callable[..., object]) -> Config:
    """Return a configuration whose fields are the keyword arguments of a function."""
    where = getattr(function, "__name__", type(function).__name__)
    try:
        parameters = inspect.signature(function).parameters.values()
        hints = typing.get_type_hints(function)
    except (TypeError, ValueError, NameError) as error:
        raise InputError(where, "a function with keyword fields", error) from None
    listed = []
    for each in parameters:
        plain = each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)
        require(plain, where, "plain keyword fields", str(each))
        default = REQUIRED if each.default is each.empty else each.default
        kind = hints.get(each.name, type(default) if type(default) in _PLAIN else Any)
        listed.append((each.name, kind, dataclasses.field(default=default)))

    def experiment(self: Dataclass) -> object:
        given = fields(self)
        missing = [name for name, value in given.items() if value is REQUIRED]
        require(not missing, where, "a value for every field", f"none for {', '.join(missing)}")
        value = function(**given)
        got = type(value).__name__
        require(is_value(value), where, "a function that returns an Experiment", got)
        return value

    methods = {"experiment": experiment}
    return _make_config(where, listed, methods, (function,))


_PLAIN = (bool, int, float, str)


def _make_config(
    name: str,
    listed: list[tuple[str, TypeForm, object]],
    methods: Mapping[str, object],
    made_by: tuple[object, ...],
) -> Config:
    """Make a dataclass with the listed fields and methods, and return an instance; `made_by` is the
    object whose code decides its experiment.
    """
    names = {**methods, "made_by": made_by}
    cls = dataclasses.make_dataclass(name, listed, frozen=True, kw_only=True, namespace=names)
    cls.__module__ = __name__
    return cls()


def _first_line(function: object) -> str:
    return (inspect.getdoc(function) or "").partition("\n")[0]


def seed_range(seeds: int, first_seed: int) -> list[int]:
    """Return the list of `seeds` consecutive seeds that starts at `first_seed`; both arguments are
    checked.

    Example:
        >>> seed_range(3, 5)
        [5, 6, 7]
    """
    for name, value in (("seeds", seeds), ("first-seed", first_seed)):
        require(is_whole(value), name, "a whole number", repr(value)[:200])
    require(seeds >= 1, "seeds", "at least 1", seeds)
    last = first_seed + seeds - 1
    require(first_seed >= 0, "first-seed", "0 or more", first_seed)
    require(last < 2**31, "first-seed + seeds", "at most 2^31", last + 1)
    require(seeds <= MOST_SEEDS, "seeds", f"at most {MOST_SEEDS}", seeds)
    return list(range(first_seed, last + 1))


def seed_list(seeds: Any, first_seed: int) -> list[int]:
    """Return the requested seeds as a checked list; `seeds` is their number, or the seeds
    themselves.

    Example:
        >>> seed_list(2, 5), seed_list((7, 3), 0)
        ([5, 6], [7, 3])
    """
    if not isinstance(seeds, (Sequence, range)) or isinstance(seeds, str):
        return seed_range(plain(seeds), plain(first_seed))
    chosen = [plain(each) for each in seeds]
    whole = all(is_whole(each) and 0 <= each < 2**31 for each in chosen)
    fit = whole and 0 < len(chosen) <= MOST_SEEDS and len(set(chosen)) == len(chosen)
    require(fit, "seeds", "a number of seeds, or different whole numbers from 0", str(seeds)[:200])
    return chosen
