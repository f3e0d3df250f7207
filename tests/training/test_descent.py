"""One step of descent against its equation, in every regime of data."""

import re
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from featlearn._check import InputError
from featlearn._record import record
from featlearn.distributions import Batch, Parity
from featlearn.networks import Gaussian, Params, TwoLayer
from featlearn.training import (
    LOSSES,
    Adam,
    Descent,
    Fresh,
    Momentum,
    Plain,
    Population,
    Sample,
    descent,
    gradient,
    keep,
)

PARITY = Parity(d=4)
NETWORK = TwoLayer(
    d=4, width=6, w=Gaussian(sd=1.0), a=Gaussian(sd=1.0), b=Gaussian(sd=1.0), scaling="mean-field"
)
LOSS = LOSSES["logistic"]


def phase(**changes):
    fields = {
        "law": PARITY,
        "network": NETWORK,
        "loss": LOSS,
        "data": Population(),
        "steps": 10,
        "rule": Plain(eta=0.1),
    }
    return Descent(**{**fields, **changes})


def after(one, params, t, key):
    """The parameters one step after `params`, which is step t of its phase."""
    fixed = one.fixed(key=key)
    return one.params(one.step(one.start(params, fixed), t, fixed, key=key), fixed)


def slopes(one, params, batch):
    return gradient(
        one.network,
        one.loss,
        params,
        batch,
        smoothing=one.smoothing,
        class_weights=one.class_weights,
    )


def close(got, expected, **tolerance):
    """Equal trees; by default up to float32 sums of a few terms of size one."""
    tolerance = tolerance or {"rtol": 1e-5, "atol": 1e-6}
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, **tolerance), got, expected)


@pytest.mark.parametrize("schedule", ["constant", "linear"])
@pytest.mark.parametrize("t", [0, 7])
def test_a_step_is_keep_times_params_less_eta_times_rate_times_gradient(schedule, t, key):
    one = phase(
        kept={"w": 0.5, "a": 0.0}, schedule=schedule, class_weights=(0.5, 2.0), smoothing=0.4
    )
    params = NETWORK.init(key=key)
    g = slopes(one, params, PARITY.support())
    left = 1.0 if schedule == "constant" else 1 - t / 10
    eta = 0.1 * left * 6  # mean-field: the rate is the width
    # 2 eta lambda shrinks with eta, hence what is kept of w and of a.
    kept_w, kept_a = 1 - 0.5 * left, 1 - 1.0 * left
    got = after(one, params, t, key)
    np.testing.assert_allclose(got.w, kept_w * params.w - eta * g.w, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(got.a, kept_a * params.a - eta * g.a, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(got.b, params.b - eta * g.b, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("rule", [Momentum(eta=0.1), Adam(eta=0.1)], ids=str)
def test_parts_that_are_not_trained_stay_bit_for_bit(rule, key):
    one = phase(
        rule=rule,
        kept={"a": 0.5},
        network=TwoLayer(
            d=4,
            width=6,
            w=Gaussian(sd=1.0),
            a=Gaussian(sd=1.0),
            trained=("w",),
            scaling="mean-field",
        ),
    )
    params = one.network.init(key=key)
    got = after(one, params, 0, key)
    np.testing.assert_array_equal(got.a, params.a)
    assert not np.allclose(got.w, params.w)


@given(eta=st.floats(1e-8, 1e8))
@example(eta=0.1)
@example(eta=0.3)
@example(eta=49.0)
def test_a_decay_of_one_over_two_eta_keeps_exactly_nothing(eta):
    assert keep(eta, 1 / (2 * eta)) == 0.0
    assert keep(eta, 0.5 / eta) == 0.0


@given(eta=st.floats(1e-6, 1.0), lam=st.floats(0.0, 0.4))
def test_any_other_decay_keeps_one_less_two_eta_lambda(eta, lam):
    assert keep(eta, lam) == pytest.approx(1 - 2 * eta * lam, abs=1e-15)
    assert keep(eta, 0.0) == 1.0


def test_keeping_nothing_forgets_weights_of_any_size(key):
    one = phase(kept={"w": keep(0.1, 1 / (2 * 0.1))}, loss=LOSSES["linear"])
    params = NETWORK.init(key=key)
    huge = Params(w=1e6 * params.w, a=params.a, b=params.b)
    g = slopes(one, huge, PARITY.support()).w
    # Not a trace of w is left, where one part in 1e7 would already be as large as the step.
    np.testing.assert_allclose(after(one, huge, 0, key).w, -0.1 * 6 * g, rtol=1e-6, atol=1e-8)


def test_all_of_a_sample_is_the_population_when_the_sample_is_the_support(key):
    @record()
    class Enumerated:
        d: int = 4

        def sample(self, m, *, key):
            points = PARITY.support()
            return Batch(x=points.x, y=points.y)

    params = NETWORK.init(key=key)
    whole = phase(data=Sample(samples=16), law=Enumerated())
    close(after(whole, params, 3, key), after(phase(), params, 3, key))


def test_the_population_gradient_is_the_limit_of_large_samples(key):
    params, m = NETWORK.init(key=key), 50_000
    exact = slopes(phase(), params, PARITY.support())
    batch = PARITY.sample(m, key=key)
    drawn = slopes(phase(), params, batch)
    each = jax.vmap(lambda x, y: slopes(phase(), params, Batch(x=x[None], y=y[None])))(
        batch.x, batch.y
    )
    # Five standard errors of every entry, at most 0.003 of slopes of size 0.1. Power: a label
    # flipped in one point of sixteen moves a typical entry by 0.01, and the wrong sign by 0.2.
    for got, truth, points in zip(*map(jax.tree.leaves, (drawn, exact, each)), strict=True):
        stderr = np.asarray(points).std(axis=0) / np.sqrt(m)
        assert np.all(np.abs(got - truth) < 5 * stderr + 1e-6)
        assert stderr.max() < 0.005


def test_a_fresh_batch_is_the_one_of_its_step(key):
    one, params = phase(data=Fresh(batch=20)), NETWORK.init(key=key)
    batch = PARITY.sample(20, key=jax.random.fold_in(key, 5))
    g = slopes(one, params, batch)
    close(after(one, params, 5, key), jax.tree.map(lambda p, s: p - 0.6 * s, params, g))


@pytest.mark.parametrize(("batch", "sizes"), [(12, [4, 4, 4]), (11, [4, 4, 3]), (3, [3])])
def test_a_large_batch_is_the_weighted_mean_of_its_slices(batch, sizes, key, monkeypatch):
    monkeypatch.setattr(descent, "DRAWN_BYTES", 4 * 4 * 6)  # four points of a layer of six
    one, params = phase(data=Fresh(batch=batch), class_weights=(0.5, 2.0)), NETWORK.init(key=key)
    of_step = jax.random.fold_in(key, 2)
    keys = [jax.random.fold_in(of_step, i) for i in range(len(sizes))]
    parts = [
        PARITY.sample(n, key=of_step if len(sizes) == 1 else each)
        for n, each in zip(sizes, keys, strict=True)
    ]
    union = Batch(
        x=jnp.concatenate([part.x for part in parts]), y=jnp.concatenate([part.y for part in parts])
    )
    assert len(union.y) == batch
    g = slopes(one, params, union)
    close(after(one, params, 2, key), jax.tree.map(lambda p, s: p - 0.6 * s, params, g))


@pytest.mark.parametrize(
    "data", [Sample(samples=12), Sample(samples=11), Sample(samples=3), Population()]
)
def test_points_that_are_kept_are_summed_in_slices(data, key, monkeypatch):
    one, params = phase(data=data, class_weights=(0.5, 2.0)), NETWORK.init(key=key)
    whole = after(one, params, 0, key)
    monkeypatch.setattr(descent, "KEPT_BYTES", 4 * 4 * 6)  # four points of a layer of six
    seen = []

    def watched(*of, **how):
        seen.append(len(of[3].y))
        return gradient(*of, **how)

    monkeypatch.setattr(descent, "gradient", watched)
    close(after(one, params, 0, key), whole)
    points = len(one.fixed(key=key).y)
    assert set(seen) == {min(points, 4), *([points % 4] if points % 4 else [])}


def test_minibatches_of_one_epoch_share_a_shuffle_that_the_state_carries(key):
    one = phase(data=Sample(samples=6, batch=2), rule=Plain(eta=1e-3))
    fixed = one.fixed(key=key)
    state = one.start(NETWORK.init(key=key), fixed)
    orders = []
    for t in range(6):
        state = one.step(state, t, fixed, key=key)
        orders.append(tuple(np.asarray(state.order).tolist()))
    assert orders[0] == orders[1] == orders[2] != orders[3] == orders[4] == orders[5]
    assert sorted(orders[0]) == sorted(orders[3]) == list(range(6))


REFUSED: dict[str, dict[str, Any]] = {
    "Descent(steps): expected at least 0 steps, got -1.": {"steps": -1},
    "Descent(schedule): expected one of 'constant', 'linear', got 'cosine'.": {
        "schedule": "cosine"
    },
    "Descent(smoothing): expected a positive standard deviation or None, got 0.0.": {
        "smoothing": 0.0
    },
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_a_wrong_argument_is_refused_in_words(sentence):
    with pytest.raises(InputError, match=f"^{re.escape(sentence)}$"):
        phase(**REFUSED[sentence])
