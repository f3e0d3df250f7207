"""Numbers do not depend on what the process around a run has set in JAX."""

import contextlib
from collections.abc import Iterator

import jax
import numpy as np
import pytest

import featlearn as fl

NET = fl.TwoLayer(d=6, width=4, w=fl.Sphere(radius=1.0), a=fl.Signs(size=1.0), scaling="one")
HOW = fl.SGD(eta=0.1, batch=8, steps=4, loss=fl.logistic)
EXPERIMENT = fl.Experiment(fl.Parity(d=6), NET, HOW, record=[fl.HeldOut(samples=30), fl.Weights()])
SETTINGS = {
    "jax_enable_x64": True,
    "jax_default_prng_impl": "rbg",
    "jax_default_matmul_precision": "bfloat16",
    "jax_threefry_partitionable": False,
}


@contextlib.contextmanager
def set_everywhere(name: str, value: object) -> Iterator[None]:
    """In all threads of the process, as a user's script would."""
    before = getattr(jax.config, name)
    jax.config.update(name, value)
    try:
        yield
    finally:
        jax.config.update(name, before)


@pytest.mark.parametrize("name", SETTINGS)
def test_a_run_has_its_bits_whatever_is_set_around_it(name):
    plain = fl.run(EXPERIMENT, seeds=1)
    with set_everywhere(name, SETTINGS[name]):
        same = fl.run(EXPERIMENT, seeds=1)
        assert same.hash == plain.hash
        points = same.sample(seed=0, points=9).x
    np.testing.assert_array_equal(points, plain.sample(seed=0, points=9).x)
    for each in ("weights_w", "test_loss"):
        assert same.dataset[each].dtype == np.float32
        np.testing.assert_array_equal(same.dataset[each], plain.dataset[each])
