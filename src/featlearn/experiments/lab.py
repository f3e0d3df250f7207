"""The lab: where statements and items have their trainings done and their numbers computed.

    lab.run(experiment)                     trained over the lab's seeds
    lab.compute(function, d=8, seed=0)      the value of a module-level function of plain fields
    lab.each_seed(function, d=8)            the same for each of the lab's seeds, side by side

All of it is stored under the code that made it, shared by whoever asks for the same, goes on after
an interruption, and stops when told to. Without a store it is remembered in this process.
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
from featlearn.experiments.fits import Trained
from featlearn.experiments.named import named
from featlearn.experiments.result import Result
from featlearn.experiments.run import as_store, held, run
from featlearn.experiments.scheduler import Stop, Stopped, Task, Watch, execute, stopping, waiting
from featlearn.learners.family import Family
from featlearn.results.codec import nbytes, records_in
from featlearn.results.key import ResultKey
from featlearn.results.store import Store, count_as_parents, parents

V = TypeVar("V")
MEMORY = 2**30
"""Bytes of results that a process remembers."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Lab:
    """A store, the seeds to take, and the way to stop."""

    store: Store | None = None
    """None keeps nothing on disk."""
    seeds: tuple[int, ...] = (0,)
    fresh: bool = False
    """Compute again what the store has, each thing once."""
    watch: Watch | None = None
    """Told the share of the last request that is done."""
    made: set[object] = field(default_factory=set, init=False, repr=False)
    """What was computed again for this lab, if `fresh`."""

    @classmethod
    def at(
        cls,
        out: Store | Path | str | None,
        *,
        seeds: tuple[int, ...] = (0,),
        fresh: bool = False,
        watch: Watch | None = None,
    ) -> "Lab":
        """A lab on the store of that folder."""
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
        """Train an experiment over the lab's seeds, or over others; see `featlearn.run`."""
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
        return self._once((one.id, experiment.key.name, experiment.key.source, chosen), train)

    def compute(self, function: Callable[..., V], **fields: object) -> V:
        """The value of a function of plain fields.

        Args:
            function: one of a module, not of another function; its annotations say what it returns.
            fields: its arguments: numbers, texts, arrays, records of them.
        """
        self._require(function)
        key = ResultKey(
            description=describe({"function": public_name(function), "fields": fields}),
            modules=sources(function, fields, runner=PINNED),
        )

        def make() -> V:
            with pinned():
                return function(**fields)

        return self._once((key.name, key.source), lambda: self._stored(function, key, fields, make))

    def each_seed(self, function: Callable[..., V], **fields: object) -> list[V]:
        """The value for each of the lab's seeds, computed side by side: function(seed=…, …)."""
        return self.each(function, [{"seed": seed, **fields} for seed in self.seeds])

    def each(
        self,
        function: Callable[..., V],
        cases: Sequence[Mapping[str, object]],
        *,
        watch: Watch | None = None,
    ) -> list[V]:
        """The value for each of several fields, computed side by side."""
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

    def learner(self, family: Family) -> Trained:
        """A family of classifiers whose members are trained here and kept in the store."""
        return Trained(family=family, store=self.store, fresh=self.fresh)

    def _stored(
        self,
        function: Callable[..., V],
        key: ResultKey,
        fields: dict[str, object],
        make: Callable[[], V],
    ) -> V:
        """The value from the store, or computed and put there."""
        if self.store is None:
            return make()
        entry = self.store.entry(public_name(function), key, None, "computed")
        with held(entry):
            if entry.has() and not self.fresh:
                returned = typing.get_type_hints(function)["return"]
                value: V = entry.read(records=records_in(returned))
                return value
            entry.require_writable()
            with parents() as found:
                value = make()
            entry.write(value, parents=list(found))
            return value

    def _once(self, key: object, make: Callable[[], V]) -> V:
        """What was asked for before, or made now; two who ask at once wait for one."""
        if stopping():
            raise Stopped
        key = (self.store.root if self.store else None, key)
        with _memory.lock_of(key):
            known = _memory.get(key)
            if known is not None and (not self.fresh or key in self.made):
                value: V = known.value
                count_as_parents(known.parents)
                return value
            with parents() as found:
                value = make()
            self.made.add(key)
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
    """How a function is called in a store: module and name, without the folder of the papers."""
    name = f"{function.__module__}.{function.__qualname__}"
    return name.removeprefix("featlearn.").removeprefix("papers.")


@dataclass(frozen=True)
class _Known:
    value: Any
    parents: tuple[str, ...]
    size: int


class _Memory:
    """The last results of this process, up to so many bytes."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._values: collections.OrderedDict[object, _Known] = collections.OrderedDict()
        self._busy: dict[object, threading.RLock] = {}
        self._guard = threading.Lock()

    def lock_of(self, key: object) -> "_Turn":
        with self._guard:
            return _Turn(self._busy.setdefault(key, threading.RLock()))

    def get(self, key: object) -> _Known | None:
        with self._guard:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: object, value: object, parents: tuple[str, ...]) -> None:
        known = _Known(value, parents, _size(value))
        with self._guard:
            self._values[key] = known
            while sum(each.size for each in self._values.values()) > self._limit:
                self._values.popitem(last=False)


class _Turn:
    """A lock; whoever waits for it gives up his place at the devices."""

    def __init__(self, lock: threading.RLock) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            with waiting():
                self._lock.acquire()

    def __exit__(self, *error: object) -> None:
        self._lock.release()


def _size(value: object) -> int:
    if isinstance(value, Result):
        return int(value.dataset.nbytes)
    return nbytes(value)


_memory = _Memory(MEMORY)
