"""The simulation free of d against the plain one: the same law, tested with stated power."""

import re
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.distributions import Clusters, GaussianParity, Parity
from featlearn.experiments.run import run
from featlearn.networks import Constant, Gaussian, Params, Signs, Sphere, TwoLayer
from featlearn.papers.glasgow2023.xor import XOR, Xor
from featlearn.training import Descent, Fresh, Plain, in_coordinates, loss, wishart
from featlearn.training.bartlett import bartlett
from featlearn.training.wishart import TurnedRows, WishartDescent

# Small d and m and a large step, so that what comes from outside the span is most of the result.
D, P, M, REPEATS = 14, 4, 8, 8_000


def descent(**changes):
    network = TwoLayer(
        d=D,
        width=P,
        w=Gaussian(sd=0.1),
        a=Signs(size=0.5),
        b=changes.pop("b", None),
        trained=changes.pop("trained", ("w", "a", "b")),
        scaling="mean-field",
    )
    standard = Descent(
        law=Parity(d=D, noise="gaussian"),
        network=network,
        loss=loss("doubled-logistic"),
        data=Fresh(batch=M),
        steps=1,
        rule=Plain(eta=2.0),
    )
    return replace(standard, **changes)


def products_after_a_step(phase, params, key, repeats):
    """w w^T and the signal columns after one step, many times over: (repeats, numbers)."""

    def one(key):
        state = phase.step(phase.start(params, None), 0, None, key=key)
        w = phase.params(state, None).w
        return jnp.concatenate([(w @ w.T)[jnp.triu_indices(P)], w[:, :2].ravel()])

    return np.asarray(jax.jit(jax.vmap(one))(jax.random.split(key, repeats)))


def largest_deviation(a, b):
    """The largest z-score between means and between second moments of two samples."""
    scores = []
    for first, second in ((a, b), (a**2, b**2)):
        error = np.sqrt(first.var(axis=0) / len(first) + second.var(axis=0) / len(second))
        scores.append(np.abs(first.mean(axis=0) - second.mean(axis=0)) / error)
    return float(np.max(scores))


def both_simulations(key, repeats=REPEATS, **changes):
    """A step from the same neurons, plain and in coordinates."""
    plain = descent(**changes)
    params, k = plain.network.init(key=key), plain.law.k
    rest = jnp.linalg.qr(params.w[:, k:].T, mode="r").T
    turned = Params(w=jnp.concatenate([params.w[:, :k], rest], axis=1), a=params.a, b=params.b)
    keys = jax.random.split(key)
    return (
        products_after_a_step(plain, params, keys[0], repeats),
        products_after_a_step(in_coordinates(plain), turned, keys[1], repeats),
    )


# 18 numbers of 8000 repeats, means and second moments: five standard errors is one false alarm in
# about 50 000 runs of a test with a new key. Power: see the two planted errors.
STEPS: dict[str, dict[str, Any]] = {
    "xor": {},
    "clusters, first layer": {
        "law": Clusters(d=D, sigma=0.5, flips=0.1),
        "trained": ("w",),
    },
    "gaussian mixture, hinge, decay": {
        "law": GaussianParity(d=D, k=2),
        "loss": loss("hinge"),
        "kept": {"w": 0.9},
    },
}
MORE_STEPS: dict[str, dict[str, Any]] = {
    "all gaussian, biases": {
        "law": Parity(d=D, noise="gaussian", signal="gaussian"),
        "b": Constant(value=0.2),
    },
    "three bits, biases": {
        "law": Parity(d=D, k=3, noise="gaussian"),
        "b": Constant(value=0.2),
    },
    "six clusters": {"law": Clusters(d=D, sigma=0.5, flips=0.1, k=3, corruption="adversarial")},
}


@pytest.mark.parametrize(
    "changes",
    [
        *(pytest.param(step, id=name) for name, step in STEPS.items()),
        *(pytest.param(s, id=name, marks=pytest.mark.slow) for name, s in MORE_STEPS.items()),
    ],
)
def test_a_step_has_the_law_of_the_plain_step(key, changes):
    assert largest_deviation(*both_simulations(key, **changes)) < 5


def test_degrees_of_freedom_off_by_p_are_seen(key, monkeypatch):
    monkeypatch.setattr(wishart, "bartlett", lambda p, n, *, key: bartlett(p, n + P, key=key))
    assert largest_deviation(*both_simulations(key)) > 8


def test_the_mean_in_the_place_of_a_wishart_matrix_is_seen(key, monkeypatch):
    monkeypatch.setattr(wishart, "bartlett", lambda p, n, *, key: jnp.sqrt(n) * jnp.eye(p))
    # Means are right here and second moments alone show it, so more repeats are needed.
    assert largest_deviation(*both_simulations(key, repeats=30_000)) > 8


def test_slices_of_a_batch_change_nothing_in_law(key, monkeypatch):
    monkeypatch.setattr(wishart, "SLICE_BYTES", 4 * (2 + P) * 3)
    assert largest_deviation(*both_simulations(key)) < 5


@pytest.mark.parametrize("law", [Sphere(radius=0.3), Gaussian(sd=0.3)], ids=["sphere", "gaussian"])
def test_initial_neurons_have_the_products_of_those_in_all_dimensions(law, key):
    turned = TurnedRows(law=law, d=D, k=2)

    def numbers(w):
        return jnp.concatenate([(w @ w.T)[jnp.triu_indices(P, 1)], w[:, :2].ravel()])

    keys = jax.random.split(key, (2, REPEATS))
    direct = jax.vmap(lambda k: numbers(law.draw((P, D), key=k)))(keys[0])
    ours = jax.vmap(lambda k: numbers(turned.draw((P, 2 + P), key=k)))(keys[1])
    assert largest_deviation(np.asarray(direct), np.asarray(ours)) < 5


@pytest.mark.slow
def test_a_whole_training_has_the_law_of_the_plain_one():
    size: dict[str, Any] = {
        "d": 60,
        "width": 20,
        "steps": 40,
        "batch_ratio": 2.0,
        "records": 5,
        "test": 500,
    }
    named = replace(XOR, config=Xor(noise="gaussian", **size))
    plain = run(named, seeds=12, simulation="plain").dataset
    turned = run(named, seeds=12, first_seed=100, simulation="gram").dataset
    for name in ("signal", "opposite", "orthogonal", "norm", "test_loss"):
        # Twelve seeds a side, at five steps: six standard errors of a t with 22 degrees of freedom
        # is one false alarm in 8000 runs.
        means = [
            data[name].mean([x for x in data[name].dims if x not in ("seed", "step")]).values
            for data in (plain, turned)
        ]
        error = np.sqrt(sum(each.var(axis=0, ddof=1) / 12 for each in means))
        gap = np.abs(means[0].mean(axis=0) - means[1].mean(axis=0))
        assert np.all(gap < 6 * error + 1e-6), name


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"noise": "boolean"},
            "simulation=gram: expected Gaussian noise, got boolean. "
            "Use --noise gaussian or --simulation plain.",
        ),
        (
            {"d": 41},
            "simulation=gram (d): expected d >= k + 2 width = 42, got 41. Use --simulation plain.",
        ),
    ],
)
def test_what_has_no_such_simulation_is_refused_in_one_sentence(changes, message):
    size: dict[str, Any] = {
        "d": 100,
        "width": 20,
        "noise": "gaussian",
        "simulation": "gram",
        **changes,
    }
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        Xor(**size).experiment()


@pytest.mark.parametrize(
    ("size", "free"),
    [
        ({"noise": "gaussian", "d": 1000}, True),
        ({"noise": "gaussian", "d": 60}, False),
        ({"noise": "boolean", "d": 1000}, False),
        ({"noise": "gaussian", "d": 1000, "simulation": "plain"}, False),
    ],
)
def test_it_is_chosen_by_itself_where_it_is_cheaper(size, free):
    experiment = Xor(width=20, **size).experiment()
    assert isinstance(experiment.phases[0], WishartDescent) == free
