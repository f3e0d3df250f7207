"""Estimate from shapes, before anything is allocated, the memory that a configuration needs.

Everything is traced and nothing is computed. The estimate adds up the parameters, the sample and
the state of the costliest phase, four arrays of the size of the largest that a step or a
measurement makes, and all records. It should be right within a factor of about two.
"""

import math
from collections.abc import Iterable
from typing import Any

import jax
from jax.extend.core import jaxprs_in_params

from featlearn._check import require
from featlearn._config import fields
from featlearn._streams import stream
from featlearn.training import Plan
from featlearn.training.loop import STREAMS, advance, observe

BUDGET = 2 * 2**30
"""The most bytes that a session of the playground may use."""
LARGEST = 10**6
"""The largest whole number that a field may have in the playground."""
WORK = 10**12
"""The most multiplications of one step; longer steps could not be watched or stopped."""
ELSEWHERE = "Larger ones are for `featlearn run`."
POINTS = ("samples", "batch", "first_batch", "test", "steps", "records")
"""Fields that count points or steps; they are not a side of a matrix built before training."""
AT_ONCE = 4


def require_fits(config: Any, usual: Any) -> None:
    """Raise `InputError` if the experiment of this configuration is too large for the playground.

    Args:
        config: the configuration.
        usual: the default configuration, which can be built whatever its sizes.
    """
    counts = _counts(config)
    for name, value in counts.items():
        limit = f"at most {LARGEST} in the playground"
        require(abs(value) <= LARGEST, name.replace("_", "-"), limit, value, ELSEWHERE)
    # What NumPy builds cannot be traced: assume a matrix of the two largest sides.
    sides = _matrix(_sides(counts)[:2])
    _require_bytes(0 if sides <= _matrix(_sides(_counts(usual))[:2]) else sides)
    _require_bytes(_to_build(config, counts))
    plan: Plan = config.experiment().plan
    work = max(_work(plan, phase) for phase in plan.phases)
    allowed = f"a step of at most {WORK:.0e} multiplications in the playground"
    require(work <= WORK, "batch", allowed, f"{work:.1e}", ELSEWHERE)
    _require_bytes(needed(plan))


def needed(plan: Plan) -> int:
    """Estimate how many bytes training by this plan needs."""
    key = jax.eval_shape(lambda: stream(0, "init"))
    params = jax.eval_shape(plan.init, key)
    phases, look = [], 0
    for phase in plan.phases:
        fixed = jax.eval_shape(lambda key, phase=phase: phase.fixed(key=key), key)
        state = jax.eval_shape(phase.start, params, fixed)
        params = jax.eval_shape(phase.params, state, fixed)
        step = _largest(
            lambda *args: advance(args[0], args[1], 0, 1, *args[2:]), phase, state, fixed, key
        )
        phases.append(_bytes((phase, params, fixed)) + 2 * _bytes(state) + AT_ONCE * step)
    for group in map(plan.recording.of_stream, STREAMS):
        look = max(look, _largest(observe, group, params, key))
        seen = _bytes(jax.eval_shape(observe, group, params, key))
        phases.append(seen * len(plan.recording.steps))
    return max(phases) + AT_ONCE * look


def _counts(config: Any) -> dict[str, int]:
    return {name: value for name, value in fields(config).items() if type(value) is int}


def _sides(counts: dict[str, int]) -> list[int]:
    """Return the fields that may be sides of a matrix built before training, the largest first."""
    return sorted((v for name, v in counts.items() if name not in POINTS), reverse=True)


def _matrix(sides: list[int]) -> int:
    """Return the bytes of a matrix with these sides, and of the arrays from which it is
    computed.
    """
    return 3 * 4 * math.prod(sides)


def _to_build(config: Any, counts: dict[str, int]) -> int:
    """Estimate the bytes that a configuration allocates before training, without building it."""
    try:
        return _largest(lambda: (config.experiment(), 0)[1])
    except (jax.errors.ConcretizationTypeError, jax.errors.TracerArrayConversionError):
        return _matrix(_sides(counts)[:1] * 2)  # it is computed from a square matrix


def _work(plan: Plan, phase: Any) -> float:
    """Estimate the multiplications of one step on fresh points, of which there may be many
    slices.
    """
    batch = getattr(getattr(phase, "data", None), "batch", None) or 0
    params = jax.eval_shape(plan.init, jax.eval_shape(lambda: stream(0, "init")))
    return 6.0 * batch * sum(math.prod(leaf.shape) for leaf in jax.tree.leaves(params))


def _require_bytes(size: int) -> None:
    require(
        size <= BUDGET,
        "sizes",
        f"at most {BUDGET / 2**30:.0f} GB of memory in the playground",
        f"about {size / 2**30:.1f} GB",
        "Make d, the width, the batch or the sample smaller.",
    )


def _largest(function: Any, *args: Any) -> int:
    """Return the bytes of the largest array that a function makes."""
    return _largest_of(jax.make_jaxpr(function)(*args).jaxpr)


def _largest_of(jaxpr: Any) -> int:
    own = (_bytes_of(v.aval) for equation in jaxpr.eqns for v in equation.outvars)
    inner = (_largest_of(sub) for e in jaxpr.eqns for sub in jaxprs_in_params(e.params))
    return max((*own, *inner), default=0)


def _bytes(tree: Any) -> int:
    return sum(map(_bytes_of, _arrays(tree)))


def _arrays(tree: Any) -> Iterable[Any]:
    return (leaf for leaf in jax.tree.leaves(tree) if hasattr(leaf, "shape"))


def _bytes_of(array: Any) -> int:
    shape, kind = getattr(array, "shape", ()), getattr(array, "dtype", None)
    return math.prod(shape) * getattr(kind, "itemsize", 4)
