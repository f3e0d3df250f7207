"""Call the parts that the user wrote once before a run, so that mistakes are reported with file and
line.

Parts of featlearn itself are not called: they have tests. A user's law draws eight points;
networks, phases and measurements are only traced for their shapes, which computes nothing.
"""

import functools
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import jax
import jax.numpy as jnp
import numpy as np
import xarray as xr
from jax import Array
from jaxtyping import Key, PyTree

from featlearn._check import InputError, as_sentence, line_of_user, require
from featlearn._streams import stream
from featlearn.distributions import Batch
from featlearn.experiments.experiment import Experiment, summarised
from featlearn.measurements import Reduction
from featlearn.results.dataset import Trajectory, to_dataset
from featlearn.training import Loss, Phase
from featlearn.training.recording import Measures

POINTS = 8
MAX_RECORD_SIZE = 10**7
"""A user's reductions are tried on zeros of the recorded shape if that has at most so many
numbers."""
Shapes = dict[str, jax.ShapeDtypeStruct]
"""The arrays that a measurement returns: the shape and type of each by name."""
T = TypeVar("T")
RECORD_HINT = "Put @fl.record() above the class; fields that are numbers go into numbers=(…)."


def dry_call(experiment: object) -> None:
    """Raise `InputError` if a part that the user wrote does not work."""
    if not isinstance(experiment, Experiment) or not any(map(_own, _parts(experiment))):
        return
    for part in (experiment.law, experiment.network, *experiment.training, *experiment.record):
        _require_record(part)
    key = jax.eval_shape(lambda: stream(0, "test"))
    d = experiment.setting.law.d
    batch = jax.eval_shape(lambda: Batch(x=jnp.zeros((POINTS, d)), y=jnp.zeros(POINTS)))
    if _own(experiment.law):
        batch = _sampled(experiment)
    for loss in experiment.setting.losses:
        _try_loss(loss, batch)
    start = experiment.network if experiment.start is None else experiment.start
    params = _traced(start, "init", lambda key: start.init(key=key), key)
    if _own(experiment.network):
        f = _traced(experiment.network, "forward", experiment.network.forward, params, batch.x)
        _require_shape(experiment.network, "forward", f, (POINTS,), "one output per point")
    for phase in experiment.phases:
        params = _try_phase(phase, params, key)
    seen = _try_measurements(experiment, params, key)
    _try_reductions(experiment, seen)


def _parts(experiment: Experiment) -> Iterator[object]:
    """Yield all parts of an experiment that a user may have written."""
    yield from (experiment.law, experiment.network, experiment.start)
    for phase in experiment.training:
        yield phase
        yield _rule(phase)
    for loss in experiment.setting.losses:
        yield getattr(loss.value, "function", loss.value)
    yield from experiment.record
    for each in experiment.summary:
        yield getattr(each, "function", each)


def _rule(phase: object) -> object:
    return getattr(getattr(phase, "descent", phase), "rule", None)


def _own(part: object) -> bool:
    """Return whether the user, and not featlearn or JAX, wrote a part: its type decides or, for a
    function, its module.
    """
    module = getattr(part, "__module__", None) if inspect.isfunction(part) else None
    return not (module or type(part).__module__).startswith(("featlearn.", "jax", "builtins"))


def place(part: object) -> str:
    """Return the name of a part, with the file and line of its definition where they are known."""
    of = part if inspect.isfunction(part) or isinstance(part, type) else type(part)
    try:
        file, line = inspect.getsourcefile(of), inspect.getsourcelines(of)[1]
        return f"{of.__name__} ({Path(file or '').name}:{line})"
    except (OSError, TypeError):  # it was defined at a prompt
        return of.__name__


def _require_record(part: object) -> None:
    if not _own(part):
        return
    leaves = jax.tree.leaves(part)
    require(
        len(leaves) != 1 or leaves[0] is not part, place(part), "a record", "a class", RECORD_HINT
    )


def _traced(part: object, what: str, function: Callable[..., PyTree], *args: PyTree) -> PyTree:
    """Trace a call of a part and return the shapes of its result; raise `InputError` with the
    user's line if the call fails.
    """
    return _tried(part, what, lambda: jax.eval_shape(function, *args))


def _tried(part: object, what: str, call: Callable[[], T]) -> T:
    try:
        return call()
    except InputError:
        raise
    except Exception as error:
        line = line_of_user(error)
        if not line and not _own(part):
            raise
        at = f" ({line})" if line else ""
        where = f"{type(part).__name__}.{what}{at}"
        if inspect.isfunction(part):
            where = f"the {what} {part.__name__}{at}" if line else f"the {what} {place(part)}"
        raise as_sentence(error, where, "a call that works") from error


def _sampled(experiment: Experiment) -> Batch:
    law = experiment.law
    batch = _tried(law, "sample", lambda: law.sample(POINTS, key=stream(0, "test")))
    where = place(law)
    require(isinstance(batch, Batch), where, "sample to give a fl.Batch", type(batch).__name__)
    expected = f"x of shape ({POINTS}, d) = ({POINTS}, {law.d}) and y of shape ({POINTS},)"
    shapes = tuple(batch.x.shape), tuple(batch.y.shape)
    got = f"{shapes[0]} and {shapes[1]}"
    require(shapes == ((POINTS, law.d), (POINTS,)), where, expected, got)
    y = np.asarray(batch.y)
    finite = bool(np.isfinite(y).all() and np.isfinite(np.asarray(batch.x)).all())
    require(finite, where, "finite points and labels", "numbers that are not finite")
    for loss in experiment.setting.losses:
        signs = not loss.of_signs or bool(np.isin(y, (-1, 1)).all())
        labels = ", ".join(f"{value:g}" for value in np.unique(y)[:4])
        hint = "Return 2 * y - 1." if set(np.unique(y)) <= {0, 1} else "Take the squared loss."
        require(signs, where, f"labels -1 and 1 for the {loss.name} loss", f"labels {labels}", hint)
    return batch


def _try_loss(loss: Loss, batch: Batch) -> None:
    function = getattr(loss.value, "function", loss.value)
    if not _own(function):
        return
    f = jax.ShapeDtypeStruct((POINTS,), float)
    value = _traced(function, "loss", loss.value, f, batch.y)
    _require_shape(function, "the loss", value, (POINTS,), "one number per point")


def _try_phase(phase: Phase, params: PyTree, key: PyTree) -> PyTree:
    """Trace a phase and its update rule; return the parameters after it."""
    rule = _rule(phase)
    part = phase if _own(phase) else rule
    if not (_own(phase) or _own(rule)):
        return params
    fixed = _traced(part, "fixed", lambda key: phase.fixed(key=key), key)
    state = _traced(part, "start", phase.start, params, fixed)
    after = _traced(part, "step", lambda s, f, k: phase.step(s, 0, f, key=k), state, fixed, key)
    before, now = (jax.tree.map(lambda leaf: leaf.shape, each) for each in (state, after))
    require(before == now, place(part), "a step that keeps the shapes of the state", "other shapes")
    return jax.eval_shape(phase.params, state, fixed)


def _try_measurements(experiment: Experiment, params: PyTree, key: PyTree) -> Shapes:
    seen: Shapes = {}
    for each in experiment.recording.measurements:
        found = _traced(each, "measure", functools.partial(_measured, each), params, key)
        if _own(each):
            described = each.quantities
            expected = f"the quantities {', '.join(described)}"
            got = ", ".join(found) if isinstance(found, dict) else type(found).__name__
            same = isinstance(found, dict) and set(found) == set(described)
            require(same, place(each), expected, got or "none")
            for name, quantity in described.items():
                sides = len(found[name].shape)
                expected = f"{name} with the axes ({', '.join(quantity.dims)})"
                require(sides == len(quantity.dims), place(each), expected, f"{sides} axes")
        seen |= found
    return seen


def _measured(measurement: Measures, params: PyTree, key: Key[Array, ""]) -> dict[str, Array]:
    return measurement.measure(params, key=key)


def _try_reductions(experiment: Experiment, seen: Shapes) -> None:
    """Try a user's reductions on a record of zeros: they must return one number per seed."""
    own = [r for r in experiment.summary if _own(getattr(r, "function", r))]
    steps = experiment.recording.steps
    if not own or sum(np.prod(v.shape) for v in seen.values()) * len(steps) > MAX_RECORD_SIZE:
        return
    record = {name: np.zeros(value.shape, value.dtype) for name, value in seen.items()}
    trajectory = Trajectory(records=dict.fromkeys(steps, record))
    made_up = to_dataset(
        {0: trajectory, 1: trajectory}, experiment.quantities, experiment.named_places
    )
    for each in own:
        part = getattr(each, "function", each)
        with np.errstate(all="ignore"):
            values = _tried(part, each.name, functools.partial(_reduced, each, made_up))
        _require_shape(part, each.name, values, (2,), "one number per seed")


def _reduced(reduction: Reduction, dataset: xr.Dataset) -> np.ndarray:
    return summarised((reduction,), dataset)[reduction.name]


def _require_shape(
    part: object, what: str, value: PyTree, shape: tuple[int, ...], said: str
) -> None:
    got = tuple(jnp.shape(value))
    require(got == shape, place(part), f"{what} to give {said}", f"shape {got}")
