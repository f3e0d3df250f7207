"""The step by native kernels against the step by JAX, from equal states on equal points."""

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn.distributions import LeakyParity, Parity
from featlearn.networks import (
    QUADRATIC,
    RELU6,
    TRUNCATED,
    Constant,
    Gaussian,
    Signs,
    Sphere,
    TwoLayer,
    activation,
)
from featlearn.papers.daniely2020.parity import Parities
from featlearn.papers.glasgow2023.xor import Xor
from featlearn.training import SGD, Adam, DecoupledDecay
from featlearn.training.engine import using_engine
from featlearn.training.loop import advance

CLOSE = 1e-5
"""Of the move: float32 sums in two orders differ by some 1e-6 of it. A z within rounding of 0 may
have the other sign, which moves a neuron by 1/m of its gradient: the seeds here have none."""

LAW = Parity(d=45, k=2)
NETWORK = TwoLayer(d=45, width=20, w=Sphere(radius=1.0), a=Signs(size=0.5), scaling="mean-field")
BIASED = NETWORK.replace(b=Gaussian(sd=0.3), scaling="one")
LEAKY = activation(lambda z: jnp.where(z > 0, z, 0.1 * z))
CUBIC = activation(lambda z: jnp.maximum(z, 0) ** 3)
FRESH = SGD(eta=0.1, batch=60, steps=3, loss="doubled-logistic")


def case(law=LAW, network=NETWORK, descent=FRESH, **fields):
    return law, network, replace(descent, **fields)


CASES = {
    "xor": case(),
    "three bits": case(law=Parity(d=45, k=3)),
    "biases": case(network=BIASED),
    "frozen outputs": case(network=BIASED.replace(trained=("w",))),
    "relu6": case(network=BIASED.replace(activation=RELU6)),
    "truncated": case(network=BIASED.replace(activation=TRUNCATED)),
    "quadratic": case(network=BIASED.replace(activation=QUADRATIC)),
    "leaky": case(network=BIASED.replace(activation=LEAKY)),
    "cubic": case(network=BIASED.replace(activation=CUBIC)),
    "smoothed": case(network=BIASED, smoothing=0.5),
    "smoothed relu6": case(network=BIASED.replace(activation=RELU6), smoothing=0.5),
    "class weights": case(class_weights=(1.0, 3.0)),
    "decay": case(decay=DecoupledDecay(lam=0.01)),
    "adam": case(rule=Adam(eta=0.01)),
    "a sample": case(descent=SGD(eta=0.1, samples=50, steps=3, loss="hinge")),
    "minibatches": case(descent=SGD(eta=0.1, samples=50, batch=25, steps=5, loss="squared")),
    **{
        half: case(law=LeakyParity(d=45, k=3, half=half), network=BIASED.replace(activation=RELU6))
        for half in ("mixture", "uniform", "leaky")
    },
    "mirrored": case(
        network=BIASED.replace(pairing="mirrored", b=Constant(value=0.1)), steps=1, mirrored=True
    ),
}


def after(setting, key, steps: int):
    """The parameters before and after so many steps, by the engine of the moment."""
    law, network, descent = setting
    phase = descent.bind(law, network)
    fixed = phase.fixed(key=jax.random.fold_in(key, 1))
    start = network.init(key=jax.random.fold_in(key, 2))
    state = phase.start(start, fixed)
    return start, advance(phase, state, 0, steps, fixed, jax.random.fold_in(key, 3)).params


def distances(start, one, two) -> dict[str, float]:
    """How far apart two results of a step are, relative to its move, part by part."""
    found = {}
    for name in ("w", "a", "b"):
        parts = [getattr(each, name) for each in (start, one, two)]
        if parts[0] is not None:
            here, first, second = (np.asarray(part, float) for part in parts)
            moved = max(float(np.linalg.norm(first - here)), 1e-9)
            found[name] = float(np.linalg.norm(first - second)) / moved
    return found


HERE = (
    "xor",
    "biases",
    "relu6",
    "smoothed",
    "adam",
    "minibatches",
    "mirrored",
    "mixture",
    "uniform",
)
"""Cases with code of their own; the others are of their kind, and for the long tests."""


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in HERE else pytest.mark.slow) for n in CASES]
)
def test_a_step_is_that_of_jax(name, native, key):
    start, found = after(CASES[name], key, 1)
    with using_engine("jax"):
        _, wanted = after(CASES[name], key, 1)
    assert max(distances(start, wanted, found).values()) < CLOSE


@pytest.mark.parametrize("name", ["xor", "relu6", "smoothed", "minibatches", "mixture"])
def test_kernels_are_asked_in_the_program_of_a_step(name, native, key):
    law, network, descent = CASES[name]
    phase = descent.bind(law, network)

    def text() -> str:
        fixed = jax.eval_shape(lambda key: phase.fixed(key=key), key)
        state = jax.eval_shape(lambda key: phase.start(network.init(key=key), None), key)
        return advance.lower(phase, state, 0, 1, fixed, key).as_text()

    assert "featlearn_forward" in text()
    points = getattr(descent.data, "batch", None) or descent.data.samples
    assert f"tensor<{points}x{law.d}xf32>" not in text()  # no matrix of inputs
    with using_engine("jax"):
        assert "featlearn_forward" not in text()
        assert f"tensor<{points}x{law.d}xf32>" in text()


def test_without_signs_two_layers_or_float32_it_is_jax(native, key):
    for law in (Parity(d=45, noise="gaussian"), Parity(d=45, basis=jnp.eye(45))):
        assert not FRESH.bind(law, NETWORK)._packed
    with jax.enable_x64(True):
        assert not FRESH.bind(LAW, NETWORK)._packed
    assert FRESH.bind(LAW, NETWORK)._packed


def test_steps_in_one_loop_are_steps_one_by_one(native, key):
    law, network, descent = CASES["mixture"]
    phase = descent.bind(law, network)
    state = phase.start(network.init(key=key), None)
    at_once = advance(phase, state, 0, 7, None, key)
    for t in range(7):
        state = advance(phase, state, t, t + 1, None, key)
    jax.tree.map(np.testing.assert_array_equal, at_once, state)


def test_slices_of_a_large_batch_are_the_same_points(native, key, monkeypatch):
    from featlearn.training import descent as module

    monkeypatch.setattr(module, "DRAWN_BYTES", 4 * 45 * 25)  # 25 points at a time
    start, found = after(CASES["xor"], key, 1)
    with using_engine("jax"):
        jax.clear_caches()
        _, wanted = after(CASES["xor"], key, 1)
    jax.clear_caches()
    assert max(distances(start, wanted, found).values()) < CLOSE


@pytest.mark.slow
@pytest.mark.parametrize(
    ("config", "quantity"),
    [
        (Xor(d=40, width=40, batch=200, steps=150, records=4, test=2000), "test_accuracy"),
        (Xor(d=40, width=40, samples=800, batch=200, steps=150, records=4), "test_accuracy"),
        (Parities(d=41, k=3, width=60, batch=100, steps=200, test=2000), "test_accuracy"),
    ],
    ids=["xor", "sample", "parity"],
)
def test_whole_trainings_agree_within_their_error_bars(config, quantity, native):
    """Equal in law: the means over seeds differ by less than five standard errors."""

    def values():
        from featlearn.experiments.run import run

        experiment = config.experiment()
        result = run(experiment, seeds=6)
        return np.asarray(result.dataset[quantity].values, float)[:, -1]

    ours = values()
    with using_engine("jax"):
        theirs = values()
    spread = max(ours.std(ddof=1), theirs.std(ddof=1), 1e-3) / 6**0.5
    assert abs(ours.mean() - theirs.mean()) < 5 * 2**0.5 * spread
    assert ours.mean() > 0.6  # it learns, so that there is something to agree on
