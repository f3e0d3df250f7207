"""Descent on a sample drawn without d: that of R^d exactly for a given sample, and in law."""

import functools
import re
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.distributions import Batch, Clusters, Parity
from featlearn.experiments.run import run
from featlearn.networks import BalancedSigns, Gaussian, Params, Sphere, TwoLayer
from featlearn.papers.frei2022.setting import HIGH, XorClusters
from featlearn.training import (
    Adam,
    Descent,
    GramDescent,
    Plain,
    Sample,
    TurnedSample,
    loss,
    on_turned_sample,
    turned_sample,
)
from featlearn.training.bartlett import bartlett
from featlearn.training.gram import SpanSample
from featlearn.training.simulation import free_of_d

D, N, P, REPEATS = 14, 5, 3, 4_000
STEPS = 2


def descent(d=D, **changes):
    network = TwoLayer(
        d=d, width=P, w=changes.pop("w", Gaussian(sd=0.3)), a=BalancedSigns(size=1.0), scaling="one"
    )
    standard = Descent(
        law=Clusters(d=d, sigma=0.5, flips=0.1),
        network=network,
        loss=loss("logistic"),
        data=Sample(samples=N),
        steps=STEPS,
        rule=Plain(eta=1.0),
    )
    return replace(standard, **changes)


def after_training(phase, network, params, fixed):
    """The parameters after all steps."""
    state = phase.start(params, fixed)
    for t in range(STEPS):
        state = phase.step(state, t, fixed, key=jax.random.key(0))
    return phase.params(state, fixed)


def numbers(phase, network, points, key):
    """Products of points, pre-activations, products and signal columns of weights, and f(x)."""
    of_sample, of_start, of_test = jax.random.split(key, 3)
    fixed = phase.fixed(key=of_sample)
    x = (fixed.points if isinstance(fixed, SpanSample) else fixed).x
    params = after_training(phase, network, network.init(key=of_start), fixed)
    test = network.forward(params, points.sample(2, key=of_test).x)
    parts = [
        (x @ x.T)[jnp.triu_indices(N)],
        (x @ params.w.T).ravel(),
        (params.w @ params.w.T)[jnp.triu_indices(P)],
        params.w[:, :2].ravel(),
        test,
    ]
    return jnp.concatenate(parts)


def largest_deviation(key, **changes):
    """The largest z-score between means and second moments, plain against turned."""
    plain = descent(**changes)
    turned = on_turned_sample(plain)
    inside: Any = turned.law
    inside = inside.inside
    forms: Any = (
        (plain, plain.network, plain.law),
        (GramDescent(descent=turned), turned.network, inside),
    )
    samples = [
        np.asarray(jax.jit(jax.vmap(functools.partial(numbers, *form)))(keys))
        for form, keys in zip(forms, jax.random.split(key, (2, REPEATS)), strict=True)
    ]
    scores = []
    for a, b in (samples, [each**2 for each in samples]):
        error = np.sqrt((a.var(axis=0) + b.var(axis=0)) / REPEATS)
        scores.append(np.abs(a.mean(axis=0) - b.mean(axis=0)) / error)
    return float(np.max(scores))


# 44 numbers of 4000 repeats, means and second moments: five standard errors is one false alarm in
# about 20 000 runs with a new key. Power: see the planted error.
@pytest.mark.parametrize(
    "changes",
    [{}, {"w": Sphere(radius=0.8), "law": Parity(d=D, k=3, noise="gaussian")}],
    ids=["clusters", "parity from a sphere"],
)
def test_training_on_a_turned_sample_has_the_law_of_training_in_all_dimensions(changes, key):
    assert largest_deviation(key, **changes) < 5


def test_degrees_of_freedom_off_by_the_number_of_points_are_seen(key, monkeypatch):
    monkeypatch.setattr(turned_sample, "bartlett", lambda p, n, *, key: bartlett(p, n - N, key=key))
    # Another d, for the compiled sample of the tests above has the right bartlett in it.
    assert largest_deviation(key, d=D + 1) > 8


def test_for_a_given_sample_and_start_the_turned_descent_is_the_one_in_all_dimensions(key, rng):
    plain = descent()
    x = rng.normal(size=(N, D)).astype(np.float32)
    w = rng.normal(size=(P, D)).astype(np.float32)
    y, a = np.sign(rng.normal(size=N)).astype(np.float32), np.array([1.0, 0.0, -1.0], np.float32)
    rest = np.asarray(jnp.linalg.qr(np.concatenate([x, w])[:, 2:].T, mode="r").T)
    turned = np.concatenate([np.concatenate([x, w])[:, :2], rest], axis=1).astype(np.float32)
    assert turned.shape == (N + P, 2 + N + P)
    assert np.all(turned[:N, 2 + N :] == 0)
    seen = on_turned_sample(plain)
    outcomes = []
    for phase, points, start in (
        (plain, x, w),
        (GramDescent(descent=seen), turned[:N], turned[N:]),
    ):
        batch = Batch(x=jnp.asarray(points), y=jnp.asarray(y))
        fixed: Any = batch
        if isinstance(phase, GramDescent):
            fixed = SpanSample(points=batch, products=batch.x @ batch.x.T)
        params = Params(w=jnp.asarray(start), a=jnp.asarray(a))
        end = after_training(phase, None, params, fixed)
        outcomes.append(np.asarray(jnp.concatenate([end.w @ end.w.T, end.w @ batch.x.T], axis=1)))
    # Thirty products of numbers of order 1 in float32.
    np.testing.assert_allclose(outcomes[0], outcomes[1], rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize(("d", "free"), [(10**6, True), (40, False)])
def test_the_form_without_d_is_chosen_where_d_is_large(d, free):
    config = XorClusters(d=d, samples=12, width=6, steps=2)
    experiment = config.experiment()
    assert isinstance(experiment.law, TurnedSample) == free
    assert experiment.setting.law.d == (20 if free else d)
    assert experiment.axis == ("coordinate" if free else "input")


@pytest.mark.slow
def test_a_panel_of_figure_2_runs_at_a_million_dimensions():
    result = run(HIGH, d=10**6, samples=20, width=10, steps=300, test=500, records=6, seeds=1)
    assert result.summary["clean_accuracy"].values == (1.0,)
    assert float(result.dataset["test_accuracy"][0, -1]) > 0.6


def test_a_rule_that_moves_coordinate_by_coordinate_is_not_turned():
    assert not free_of_d(descent(rule=Adam(eta=1.0), law=_far()))
    assert free_of_d(descent(law=_far()))
    with pytest.raises(InputError, match=re.escape("a rule free of the basis, got Gaussian, Adam")):
        on_turned_sample(descent(rule=Adam(eta=1.0), law=_far()))


def test_a_sample_as_large_as_the_space_is_refused_in_one_sentence():
    message = (
        "simulation=gram (d): expected a fixed sample and d >= k + samples + width, got d = 14. "
        "Use --simulation plain."
    )
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        on_turned_sample(descent(data=Sample(samples=10)))


def _far():
    return Clusters(d=1000, sigma=0.5)
