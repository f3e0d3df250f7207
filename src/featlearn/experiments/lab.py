"""The lab trains experiments and computes functions for statements and items, and stores the
results.

    lab.run(experiment)                     train an experiment over the lab's seeds
    lab.compute(function, d=8, seed=0)      call a module-level function with plain arguments
    lab.each_seed(function, d=8)            call it for each of the lab's seeds, in parallel

Every result is stored under a key that includes its code, so that equal requests share one result
and an interrupted computation continues. Without a store, results are remembered in this process.
"""

import collections
import threading
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from featlearn._check import require
from featlearn._config import replace
from featlearn._describe import describe, importable
from featlearn._source import PINNED, sources
from featlearn.experiments.engine import pinned
from featlearn.experiments.fits import FitCache
from featlearn.experiments.named import named
from featlearn.experiments.result import Result
from featlearn.experiments.run import as_store, locked, run
from featlearn.experiments.scheduler import (
    Stop,
    Stopped,
    Task,
    Watch,
    execute,
    slot_released,
    stopping,
)
from featlearn.learners.family import Family
from featlearn.results.codec import nbytes, records_in
from featlearn.results.key import ResultKey
from featlearn.results.store import Store, collect_parents, count_as_parents
from featlearn.training.programs import make_room

V = TypeVar("V")
MEMORY_LIMIT = 2**30
"""How many bytes of results a process remembers."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Lab:
    """Trains experiments over given seeds and evaluates functions, and keeps the results in a store
    or in memory.
    """

    store: Store | None = None
    """Where results are stored; None writes nothing to disk."""
    seeds: tuple[int, ...] = (0,)
    """The seeds at which evidence is gathered."""
    fresh: bool = False
    """Compute again what the store has, but each result only once."""
    watch: Watch | None = None
    """Called with the fraction of the current request that is done."""
    recomputed: set[object] = field(default_factory=set, init=False, repr=False)
    """The keys that this lab has computed again, if `fresh`."""

    @classmethod
    def at(
        cls,
        out: Store | Path | str | None,
        *,
        seeds: tuple[int, ...] = (0,),
        fresh: bool = False,
        watch: Watch | None = None,
    ) -> "Lab":
        """Return a lab whose store is the folder `out`."""
        return cls(store=as_store(out), seeds=seeds, fresh=fresh, watch=watch)

    def run(
        self,
        target: object,
        *,
        seeds: int | Sequence[int] | None = None,
        first_seed: int = 0,
        watch: Watch | None = None,
        **changes: object,
    ) -> Result:
        """Train an experiment over the lab's seeds, or over the given ones, and return its result;
        see `featlearn.run`.
        """
        require(
            not isinstance(target, str),
            "lab.run",
            "an experiment, or a function with keyword fields that returns one",
            repr(target),
            "Import the experiment from its paper's module, so that an edit there is noticed.",
        )
        wanted = self.seeds if seeds is None else seeds
        wanted = range(first_seed, first_seed + wanted) if isinstance(wanted, int) else wanted
        chosen = tuple(int(seed) for seed in wanted)

        def train() -> Result:
            return run(
                target,
                seeds=chosen,
                first_seed=0,
                out=self.store,
                fresh=self.fresh,
                watch=watch or self.watch,
                **changes,
            )

        one = named(target)
        experiment = replace(one.config, changes, where=one.id).experiment()
        return self._remembered((one.id, experiment.key.name, experiment.key.source, chosen), train)

    def compute(self, function: Callable[..., V], **fields: object) -> V:
        """Return the value of a function of plain arguments, read from the store or computed.

        Args:
            function: a function at the top of a module, with an annotation of what it returns.
            fields: its keyword arguments: numbers, texts, arrays, or records of them.
        """
        self._require(function)
        key = ResultKey(
            description=describe({"function": public_name(function), "fields": fields}),
            modules=sources(function, fields, runner=PINNED),
        )

        def make() -> V:
            make_room()
            with pinned():
                return function(**fields)

        return self._remembered(
            (key.name, key.source), lambda: self._stored(function, key, fields, make)
        )

    def each_seed(self, function: Callable[..., V], **fields: object) -> list[V]:
        """Return the values of function(seed=…, …) for the lab's seeds, computed in parallel."""
        return self.compute_each(function, [{"seed": seed, **fields} for seed in self.seeds])

    def compute_each(
        self,
        function: Callable[..., V],
        cases: Sequence[Mapping[str, object]],
        *,
        watch: Watch | None = None,
    ) -> list[V]:
        """Return the values of a function for several sets of arguments, computed in parallel."""
        if len(cases) == 1:
            return [self.compute(function, **cases[0])]

        def task(place: int) -> Task:
            def work(stop: Stop, report: Watch) -> V:
                return self.compute(function, **cases[place])

            return Task(name=place, work=work)

        found: dict[int, V] = {}
        tasks = [task(place) for place in range(len(cases))]
        for outcome in execute(tasks, total=len(tasks), watch=watch or self.watch):
            if outcome.error is not None:
                raise outcome.error
            found[outcome.task.name] = outcome.value
        if len(found) < len(tasks):
            raise Stopped
        return [found[place] for place in range(len(cases))]

    def learner(self, family: Family) -> FitCache:
        """Return an object that trains classifiers of a family and keeps them in the lab's
        store.
        """
        return FitCache(family=family, store=self.store, fresh=self.fresh)

    def _stored(
        self,
        function: Callable[..., V],
        key: ResultKey,
        fields: dict[str, object],
        make: Callable[[], V],
    ) -> V:
        """Read the value of a function from the store, or compute it with `make` and store it."""
        if self.store is None:
            return make()
        entry = self.store.entry(public_name(function), key, None, "computed")
        with locked(entry):
            if entry.has() and not self.fresh:
                returned = typing.get_type_hints(function)["return"]
                value: V = entry.read(records=records_in(returned))
                return value
            entry.require_writable()
            with collect_parents() as found:
                value = make()
            entry.write(value, parents=list(found))
            return value

    def _remembered(self, key: object, make: Callable[[], V]) -> V:
        """Return the value that this process remembers for a key, or make it; simultaneous callers
        wait for the first.
        """
        if stopping():
            raise Stopped
        key = (self.store.root if self.store else None, key)
        with _memory.lock_for(key):
            known = _memory.get(key)
            if known is not None and (not self.fresh or key in self.recomputed):
                value: V = known.value
                count_as_parents(known.parents)
                return value
            with collect_parents() as found:
                value = make()
            self.recomputed.add(key)
            _memory.put(key, value, tuple(found))
            return value

    @staticmethod
    def _require(function: Callable[..., object]) -> None:
        name = getattr(function, "__name__", repr(function))
        local = "<" in getattr(function, "__qualname__", "<")
        require(
            importable(function) or (not local and function.__module__ == "__main__"),
            f"lab.compute({name})",
            "a function of a module",
            "one inside another, or a lambda",
            "Define it at the top of its file.",
        )
        require(
            "return" in typing.get_type_hints(function),
            f"lab.compute({name})",
            "a function whose annotation says what it returns",
            "none",
        )


def public_name(function: Callable[..., object]) -> str:
    """Return the name of a function in a store: module and name, without the prefixes "featlearn."
    and "papers.".
    """
    name = f"{function.__module__}.{function.__qualname__}"
    return name.removeprefix("featlearn.").removeprefix("papers.")


@dataclass(frozen=True)
class _Remembered:
    """A result in memory, with its size in bytes and the stored entries that it was computed
    from.
    """

    value: Any
    parents: tuple[str, ...]
    size: int


class _Memory:
    """The most recently used results of this process, up to `limit` bytes."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._values: collections.OrderedDict[object, _Remembered] = collections.OrderedDict()
        self._busy: dict[object, threading.RLock] = {}
        self._guard = threading.Lock()

    def lock_for(self, key: object) -> "_SlotReleasingLock":
        with self._guard:
            return _SlotReleasingLock(self._busy.setdefault(key, threading.RLock()))

    def get(self, key: object) -> _Remembered | None:
        with self._guard:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: object, value: object, parents: tuple[str, ...]) -> None:
        known = _Remembered(value, parents, _size(value))
        with self._guard:
            self._values[key] = known
            while sum(each.size for each in self._values.values()) > self._limit:
                self._values.popitem(last=False)


class _SlotReleasingLock:
    """A lock; a task that waits for it meanwhile releases its device to other tasks."""

    def __init__(self, lock: threading.RLock) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            with slot_released():
                self._lock.acquire()

    def __exit__(self, *error: object) -> None:
        self._lock.release()


def _size(value: object) -> int:
    if isinstance(value, Result):
        return int(value.dataset.nbytes)
    return nbytes(value)


_memory = _Memory(MEMORY_LIMIT)
