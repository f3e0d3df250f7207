"""The signal share against projections made by hand, for every law that knows its directions."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn.distributions import Clusters, GaussianParity, LeakyParity, Parity, mixture, rotation
from featlearn.measurements import Directed, signal_share

LAWS: dict[str, Any] = {
    "parity": Parity(d=6, k=3),
    "rotated": Parity(d=6, basis=rotation(6, key=jax.random.key(1))),
    "leaky": LeakyParity(d=7, k=3, relevant=(1, 4, 6)),
    "gaussian": GaussianParity(d=6, k=2),
    "clusters": Clusters(d=6, sigma=0.1),
    "patterns": mixture(d=8, dictionary=8, k=3),
}


@pytest.mark.parametrize("name", LAWS)
def test_the_label_depends_on_the_relevant_directions_alone(name, key):
    """The label is a function of the projection: equal projections have equal labels."""
    law = LAWS[name]
    assert isinstance(LAWS[name], Directed)
    batch = law.sample(400, key=key)
    along = np.sign(np.round(np.asarray(batch.x @ law.relevant_directions.T), 4))
    if name == "clusters":  # noise moves a point on all axes: the larger projection decides
        projected = np.abs(np.asarray(batch.x @ law.relevant_directions.T))
        along = projected.argmax(axis=1)[:, None]
    labels: dict[bytes, set[float]] = {}
    for row, y in zip(along, np.asarray(batch.y), strict=True):
        labels.setdefault(row.tobytes(), set()).add(float(y))
    if name == "gaussian":  # noise may flip a sign: their product is wrong at the Bayes rate
        error, rate = np.mean(along.prod(axis=1) != np.asarray(batch.y)), law.bayes_error
        assert abs(error - rate) <= 5 * np.sqrt(rate * (1 - rate) / 400)  # other axes: 1/2
        return
    assert all(len(each) == 1 for each in labels.values())


def test_a_share_is_that_of_least_squares(rng):
    w, U = rng.normal(size=(5, 7)), rng.normal(size=(3, 7))
    fitted = np.linalg.lstsq(U.T, w.T, rcond=None)[0]
    share = ((fitted.T @ U) ** 2).sum(axis=1) / (w**2).sum(axis=1)
    found = signal_share(jnp.asarray(w, jnp.float32), jnp.asarray(U, jnp.float32))
    np.testing.assert_allclose(found, share, rtol=1e-4)  # float32; a wrong span is off by tenths


def test_a_share_survives_tiny_weights_and_none():
    w = jnp.array([[1e-30, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 1e-30, 1e-30]])
    found = signal_share(w, jnp.array([[2.0, 0.0, 0.0], [0.0, 5.0, 0.0]]))
    np.testing.assert_allclose(found, [1.0, 0.0, 0.5], rtol=1e-6)
