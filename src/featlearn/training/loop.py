r"""The training loop: it goes from one recorded step to the next, in chunks of about 0.5 seconds.

A chunk is one compiled `fori_loop` with traced bounds. However the steps are cut into chunks,
one compilation is enough and the numbers are the same. Between chunks control returns to the
caller, who may draw a progress bar, save a checkpoint, or stop.
"""

import functools
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Int, Key, PyTree

from featlearn._check import require
from featlearn._source import source_digest
from featlearn._streams import stream
from featlearn.training.descent import Phase
from featlearn.training.programs import count_shape
from featlearn.training.recording import Measurement, Recording

CHUNK_SECONDS = 0.5
SUMMED = 2**24
"""So many squares of parameters have a finite sum, or the trajectory counts as diverged."""
STREAMS = ("test", "sample")
"""The streams whose keys measurements are given."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Everything that the training loop needs to know about an experiment."""

    init: Callable[[Key[Array, ""]], PyTree]
    """The parameters drawn from a key."""
    phases: tuple[Phase, ...]
    recording: Recording
    pace: dict[int, int] = field(default_factory=dict, compare=False, repr=False)
    """Phase -> how many steps filled a chunk last time, for the next seed to begin with."""

    def __post_init__(self) -> None:
        require(len(self.phases) > 0, "Plan(phases)", "at least one phase", "none")
        last = self.recording.steps[-1]
        require(
            last <= self.steps,
            "Plan(recording)",
            f"no step beyond the last, which is {self.steps}",
            f"step {last}",
        )

    @property
    def steps(self) -> int:
        """The total number of steps of all phases."""
        return sum(phase.steps for phase in self.phases)

    @functools.cached_property
    def source(self) -> str:
        """The digest of the code of this plan's phases and measurements."""
        return source_digest(self.phases, self.recording.measurements)

    def train(self, *, seed: int, resume: "Position | None" = None) -> "Iterator[Position]":
        """Train with one seed; see the function `train`."""
        return train(self, seed=seed, resume=resume)

    def structure(self, phase: int, *, seed: int) -> PyTree:
        """Return the shapes and types of a state in that phase, as a template for loading one."""
        chosen = self.phases[phase]
        params = jax.eval_shape(self.init, stream(seed, "init"))
        fixed = jax.eval_shape(lambda key: chosen.fixed(key=key), stream(seed, "sample"))
        return jax.eval_shape(chosen.start, params, fixed)


Record = dict[str, np.ndarray]


@dataclass(frozen=True, kw_only=True)
class Position:
    """A point of a trajectory: enough to continue from, and the records since the last position."""

    phase: int
    step: int
    """Counted over all phases."""
    state: PyTree
    records: dict[int, Record] = field(default_factory=dict)
    diverged: int | None = None
    """The first step after which a parameter, or a recorded loss, is too large to compute with;
    there the trajectory ends."""


@runtime_checkable
class Trainable(Protocol):
    """The interface of a plan: it can be trained, whichever library does the computing."""

    @property
    def steps(self) -> int:
        """The total number of steps of all phases."""
        ...

    def train(self, *, seed: int, resume: Position | None = None) -> Iterator[Position]:
        """Train with one seed, yielding the position after every chunk."""
        ...

    def structure(self, phase: int, *, seed: int) -> PyTree:
        """Return the shapes and types of a state in that phase, as a template for loading one."""
        ...


@functools.partial(jax.jit, static_argnames="source")
def advance(
    phase: Phase,
    state: PyTree,
    start: Int[Array, ""],
    stop: Int[Array, ""],
    fixed: PyTree,
    key: Key[Array, ""],
    *,
    source: str = "",
) -> PyTree:
    """Return the state after the steps start, …, stop - 1 of a phase.

    `source` is the digest of the code: if the code is edited during this process, the step is
    compiled again.
    """
    return jax.lax.fori_loop(start, stop, lambda t, s: phase.step(s, t, fixed, key=key), state)


@functools.partial(jax.jit, static_argnames="source")
def observe(
    measurements: tuple[Measurement, ...], params: PyTree, key: Key[Array, ""], *, source: str = ""
) -> dict[str, Array]:
    """Take all measurements in one compiled program; `source` is the digest of the code."""
    return {
        name: value
        for each in measurements
        for name, value in each.measure(params, key=key).items()
    }


def train(
    plan: Plan,
    *,
    seed: int,
    resume: Position | None = None,
    chunk_seconds: float = CHUNK_SECONDS,
    also: Callable[[int], int] | None = None,
) -> Iterator[Position]:
    """Train a plan with one seed, yielding the position after every chunk.

    Args:
        plan: what to run and what to record.
        seed: all randomness comes from it.
        resume: a position yielded earlier; the numbers go on as if nothing had happened.
        chunk_seconds: how long to compute between two positions, about.
        also: from the step where one stands, the next one to look at besides those of the plan;
            asked before every chunk, so that a watcher may change its pace.
    """
    source = plan.source
    count_shape((plan.phases, plan.recording.measurements), source)
    wanted, of_sample = plan.recording.steps, stream(seed, "sample")
    fixed = plan.phases[resume.phase if resume else 0].fixed(key=of_sample)
    here = resume or _beginning(plan, fixed, seed, source)
    if resume is None:
        yield here
        if here.diverged is not None:
            return
    ends = np.cumsum([phase.steps for phase in plan.phases]).tolist()
    state, step = here.state, here.step
    for number in range(here.phase, len(plan.phases)):
        phase, end, chunk = plan.phases[number], ends[number], plan.pace.get(number, 1)
        begin = end - phase.steps
        if number > here.phase:
            params = plan.phases[number - 1].params(state, fixed)
            fixed = phase.fixed(key=of_sample)
            state = phase.start(params, fixed)
        key = stream(seed, f"data-{number}")
        while step < end:
            place = bisect_right(wanted, step)
            record_at = wanted[place] if place < len(wanted) else None
            watched = max(step + 1, also(step)) if also else None
            stop = min(t for t in (end, record_at, watched, step + chunk) if t is not None)
            clock, before = time.perf_counter(), state
            state = advance(phase, state, step - begin, stop - begin, fixed, key, source=source)
            if not _finite(state):
                at = _divergence(phase, before, step - begin, stop - begin, fixed, key, source)
                yield Position(phase=number, step=begin + at, state=state, diverged=begin + at)
                return
            chunk = _next_chunk(stop - step, time.perf_counter() - clock, chunk, chunk_seconds)
            plan.pace[number] = chunk
            step = stop
            seen = step in (record_at, watched)
            records = {step: _look(plan, phase, state, fixed, seed, source)} if seen else {}
            if seen and not _measured_finite(plan, records[step]):
                yield Position(phase=number, step=step, state=state, diverged=step)
                return
            yield Position(phase=number, step=step, state=state, records=records)


def _finite(state: PyTree) -> bool:
    """Whether every number of a state is finite, and small enough for sums of its squares to be."""
    real = [leaf for leaf in jax.tree.leaves(state) if jnp.issubdtype(leaf.dtype, jnp.inexact)]
    return all(_computable(np.asarray(leaf)) for leaf in real)


def _computable(leaf: np.ndarray) -> bool:
    """Whether sums of the squares of many such numbers are finite; false if any is NaN."""
    largest = float(np.finfo(leaf.dtype).max / SUMMED) ** 0.5
    return bool((np.abs(leaf) <= largest).all())


def _measured_finite(plan: Plan, seen: Record) -> bool:
    """Whether all recorded quantities that are declared `finite` are finite."""
    wanted = [name for name, each in plan.recording.quantities.items() if each.finite]
    return all(bool(np.isfinite(seen[name]).all()) for name in wanted if name in seen)


def _divergence(
    phase: Phase,
    state: PyTree,
    start: int,
    stop: int,
    fixed: PyTree,
    key: Key[Array, ""],
    source: str,
) -> int:
    """Return the first step between `start` and `stop` after which the state is not finite.

    It is found by bisection.
    """
    while stop - start > 1:
        middle = (start + stop) // 2
        there = advance(phase, state, start, middle, fixed, key, source=source)
        if _finite(there):
            state, start = there, middle
        else:
            stop = middle
    return stop


def _beginning(plan: Plan, fixed: PyTree, seed: int, source: str) -> Position:
    """Return the position before the first step, with its records if step 0 is to be recorded."""
    phase = plan.phases[0]
    state = phase.start(plan.init(stream(seed, "init")), fixed)
    wanted = 0 in plan.recording.steps
    records = {0: _look(plan, phase, state, fixed, seed, source)} if wanted else {}
    diverged = 0 if wanted and not _measured_finite(plan, records[0]) else None
    return Position(phase=0, step=0, state=state, records=records, diverged=diverged)


def _look(plan: Plan, phase: Phase, state: PyTree, fixed: PyTree, seed: int, source: str) -> Record:
    params = phase.params(state, fixed)
    seen: dict[str, Array] = {}
    for name in STREAMS:
        if measurements := plan.recording.of_stream(name):
            seen |= observe(measurements, params, stream(seed, name), source=source)
    # Copies: a view would keep a whole allocation of JAX alive for every number.
    return {name: np.array(value) for name, value in seen.items()}


def _next_chunk(steps: int, seconds: float, chunk: int, wanted: float) -> int:
    """Return how many steps fit into the wanted time, at most four times as many as before."""
    fitting = int(steps * wanted / max(seconds, 1e-9))
    return max(1, min(fitting, 4 * max(chunk, steps)))
