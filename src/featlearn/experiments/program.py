"""The program of an experiment: a digest of what JAX compiles for it.

The start, the sample, the steps of each phase and the measurements are lowered to StableHLO and not
compiled, which takes a second at most. The text contains no names of Python and no positions in
files: it stays the same when code is renamed or moved, and changes with every formula and every
constant. Four more things decide the numbers and are digested with it: the numbers that are its
arguments, as Python computed them (a step size, 1 - 2 eta lambda, a matrix); the recorded steps;
the names of the recorded quantities; and the code that every run uses, which decides the random
numbers of the program.
"""

import functools
import hashlib
from collections.abc import Callable

import jax
from jax import Array
from jaxtyping import Key, PyTree

from featlearn._describe import digest_of
from featlearn._source import RUNNER, sources
from featlearn._streams import stream
from featlearn.experiments.engine import pinned
from featlearn.experiments.experiment import Experiment
from featlearn.training import Measurement, Phase
from featlearn.training.engine import resolved_engine
from featlearn.training.loop import STREAMS

CALLBACK = "callback"
"""The mark in the text of a call back to Python, whose code the text does not contain."""

_digests: dict[object, str] = {}
"""Digests that were found in this process; experiments of equal shape have the same program."""


def program_digest(experiment: Experiment, source: str) -> str:
    """Return a digest of all that decides the numbers of a run; return `source` if the compiled
    program calls back into Python.
    """
    text = _text_digest(experiment, source)
    return digest_of([text, _other_inputs(experiment)]) if text else source


def _text_digest(experiment: Experiment, source: str) -> str:
    """Return a digest of the text of the compiled program; it is empty if the program calls back
    into Python.
    """
    with pinned():
        plan = experiment.plan
        shapes = jax.tree.map(_shape, (plan.phases, plan.recording.measurements, experiment.start))
        leaves, tree = jax.tree.flatten((shapes, jax.tree.map(_shape, experiment.network)))
        known: object = (source, resolved_engine(), tree, tuple(map(str, leaves)))
        try:
            if known in _digests:
                return _digests[known]
        except TypeError:  # a choice that cannot be hashed
            known = None
        text = "\n".join(_texts(experiment))
        digest = hashlib.sha256(text.encode()).hexdigest() if CALLBACK not in text else ""
        if known is not None:
            _digests[known] = digest
        return digest


def _other_inputs(experiment: Experiment) -> list[object]:
    """Return everything that decides the numbers of a run but is not in the text of its program."""
    plan = experiment.plan
    arguments = (plan.phases, plan.recording.measurements, experiment.network, experiment.start)
    recorded = {name: list(q.dims) for name, q in plan.recording.quantities.items()}
    runner = {name: digest for name, digest in sources().items() if name in RUNNER}
    return [jax.tree.leaves(arguments), list(plan.recording.steps), recorded, runner]


def _shape(leaf: object) -> str:
    return f"{getattr(leaf, 'dtype', type(leaf).__name__)} {getattr(leaf, 'shape', ())}"


def _texts(experiment: Experiment) -> list[str]:
    """Return the StableHLO texts of the initial parameters, and of each phase's sample, start, step
    and measurements.
    """
    start = experiment.network if experiment.start is None else experiment.start
    key = jax.eval_shape(functools.partial(stream, 0, "init"))
    texts = [_lowered(lambda start, key: start.init(key=key), start, key)]
    params = jax.eval_shape(lambda start, key: start.init(key=key), start, key)
    for phase in experiment.phases:
        texts.append(_lowered(_fixed, phase, key))
        fixed = jax.eval_shape(_fixed, phase, key)
        texts.append(_lowered(_start, phase, params, fixed))
        state = jax.eval_shape(_start, phase, params, fixed)
        texts.append(_lowered(_step, phase, state, fixed, key))
        texts.append(_lowered(_params, phase, state, fixed))
        params = jax.eval_shape(_params, phase, state, fixed)
    for name in STREAMS:
        measurements = experiment.recording.of_stream(name)
        texts.append(_lowered(_look, measurements, params, key) if measurements else "")
    return texts


def _lowered(function: Callable[..., PyTree], *args: PyTree) -> str:
    return jax.jit(function).lower(*args).as_text()


def _fixed(phase: Phase, key: Key[Array, ""]) -> PyTree:
    return phase.fixed(key=key)


def _start(phase: Phase, params: PyTree, fixed: PyTree) -> PyTree:
    return phase.start(params, fixed)


def _step(phase: Phase, state: PyTree, fixed: PyTree, key: Key[Array, ""]) -> PyTree:
    return jax.lax.fori_loop(0, 1, lambda t, s: phase.step(s, t, fixed, key=key), state)


def _params(phase: Phase, state: PyTree, fixed: PyTree) -> PyTree:
    return phase.params(state, fixed)


def _look(measurements: tuple[Measurement, ...], params: PyTree, key: Key[Array, ""]) -> PyTree:
    return [each.measure(params, key=key) for each in measurements]
