"""What every distribution must satisfy; a new file is a new row."""

import inspect
import itertools
from typing import Any

import jax
import numpy as np
import pytest

from featlearn import distributions
from featlearn.distributions import (
    Boolean,
    Clusters,
    Distribution,
    GaussianParity,
    LeakyParity,
    Parity,
    independent,
    mixture,
    random_codes,
    rotation,
)

KEY = jax.random.key(0)
LAWS = ("boolean", "gaussian")
MEMBERS: dict[str, Any] = {
    **{
        f"parity-{signal}-{noise}": Parity(d=6, k=3, signal=signal, noise=noise)
        for signal, noise in itertools.product(LAWS, LAWS)
    },
    "parity-rotated": Parity(d=6, basis=rotation(6, key=KEY)),
    **{
        f"boolean-{signal}-{noise}": Boolean(
            d=6, target="x1 - x2 + 0.5*x1*x2", task="classification", signal=signal, noise=noise
        )
        for signal, noise in itertools.product(LAWS, LAWS)
    },
    "boolean-rotated": Boolean(
        d=6,
        target="x1*x2*x3",
        task="classification",
        relevant=(5, 0, 2),
        basis=rotation(6, key=KEY),
    ),
    "gaussian-parity": GaussianParity(d=6, k=2),
    "leaky-parity": LeakyParity(d=7, k=3),
    "mixture": mixture(d=8, dictionary=8, k=3),
    "independent": independent(d=8, dictionary=8, k=3),
    "codes": random_codes(d=8, dictionary=8, k=3, per_label=4, key=KEY),
    "clusters": Clusters(d=6, sigma=0.1),
    "clusters-flipped": Clusters(d=6, sigma=0.1, flips=0.2),
}


@pytest.fixture(params=MEMBERS)
def member(request):
    return MEMBERS[request.param]


def is_protocol(kind):
    return getattr(kind, "_is_protocol", False)


def test_every_distribution_of_the_package_has_a_row():
    known = {type(each) for each in MEMBERS.values()}
    offered = {
        each
        for each in vars(distributions).values()
        if inspect.isclass(each) and hasattr(each, "sample") and not is_protocol(each)
    }
    assert offered <= known, f"add a row to MEMBERS for {offered - known}"


def test_a_sample_has_the_shape_and_the_labels_of_the_protocol(member, key):
    assert isinstance(member, Distribution)
    batch = member.sample(50, key=key)
    assert batch.x.shape == (50, member.d)
    assert batch.y.shape == (50,)
    assert set(np.unique(batch.y)) <= {-1.0, 1.0}
    assert batch.weight is None
    assert bool(np.isfinite(batch.x).all())
    assert not (batch.x.weak_type)


def test_the_key_alone_decides_the_draw(member, key):
    one, again = member.sample(20, key=key), member.sample(20, key=key)
    other = member.sample(20, key=jax.random.fold_in(key, 1))
    jax.tree.map(np.testing.assert_array_equal, one, again)
    assert not np.array_equal(one.x, other.x)


def test_a_compiled_draw_is_the_same_draw(member, key):
    compiled = jax.jit(lambda law, key: law.sample(20, key=key))(member, key)
    plain = member.sample(20, key=key)
    np.testing.assert_array_equal(compiled.y, plain.y)
    # Compiled sums may round differently.
    np.testing.assert_allclose(compiled.x, plain.x, rtol=1e-5, atol=1e-5)


def test_both_labels_occur(member, key):
    # The rarer label has probability 1/4 or more in every row: none in 200 draws is 1e-25.
    assert set(np.unique(member.sample(200, key=key).y)) == {-1.0, 1.0}


@pytest.mark.parametrize(
    "name", [name for name, each in MEMBERS.items() if hasattr(each, "support")]
)
def test_a_support_has_total_weight_one_and_the_moments_of_the_sampler(name, key):
    member, m = MEMBERS[name], 20_000
    if "gaussian" in name:
        pytest.skip("a Gaussian has no finite support; the refusal is tested beside it")
    points = member.support()
    weight, x, y = (np.asarray(each, float) for each in (points.weight, points.x, points.y))
    assert weight.sum() == pytest.approx(1.0, abs=1e-5)
    drawn = member.sample(m, key=key)
    statistics = np.concatenate([x, x * y[:, None], y[:, None]], axis=1)
    seen = np.concatenate([drawn.x, drawn.x * drawn.y[:, None], drawn.y[:, None]], axis=1)
    mean = weight @ statistics
    sd = np.sqrt(np.maximum(weight @ statistics**2 - mean**2, 0))
    # Five standard errors, 1/140 of the spread each, for up to 17 means. Power: a class that is
    # rarer by 0.03 than it should be misses by 8.
    assert np.all(np.abs(seen.mean(axis=0) - mean) <= 5 * sd / np.sqrt(m) + 1e-5)
