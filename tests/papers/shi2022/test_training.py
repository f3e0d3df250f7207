"""The experiments: coordinates against d dimensions, the schedule, bad input."""

import re
from dataclasses import replace
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from featlearn.baselines import Family, fit
from featlearn.distributions import Batch
from featlearn.experiments.run import run
from featlearn.networks import Gaussian
from featlearn.papers.shi2022.convex import with_constant
from featlearn.papers.shi2022.early import early_weights
from featlearn.papers.shi2022.patterns import INTERVAL, PARITY, PatternTraining

SMALL = PatternTraining(
    d=30, dictionary=12, k=3, width=20, samples=400, batch=100, steps=12, test=200, records=4
)


def test_training_in_coordinates_is_training_in_d_dimensions():
    named = replace(PARITY, config=SMALL)
    plain, folded = (
        run(named, seeds=2, simulation=form).dataset for form in ("plain", "coordinates")
    )
    for name in ("cosine", "signal", "background", "test_loss", "train_loss", "cos"):
        # float32 sums of 12 or of 30 terms: rounding of 1e-6, over a few steps that amplify it.
        np.testing.assert_allclose(plain[name], folded[name], rtol=2e-3, atol=2e-4, err_msg=name)


def test_coordinates_are_taken_where_they_are_exact():
    assert PARITY.config.experiment().axis == "coordinate"
    for changes in ({"mu": True}, {"sigma": 0.1}, {"d": 100}, {"simulation": "plain"}):
        assert replace(PARITY.config, **changes).experiment().axis == "input"


def test_the_first_two_steps_forget_the_old_weights():
    start, one, two = early_weights(SMALL, seed=0)
    outside = start.w[:, -1]
    assert (np.asarray(outside) > 0.1).all()
    assert np.abs(np.asarray(one.w)[:, -1]).max() == 0, "nothing is left outside the span"
    steps = SMALL.step_sizes()
    assert np.abs(np.asarray(one.w)).max() < 100 * steps.eta1
    assert np.abs(np.asarray(two.w)).max() > 1e-3


def test_the_constants_of_table_1():
    config = PARITY.config
    literal = replace(config, recipe="literal").step_sizes()
    assert literal.eta1 == pytest.approx(1.16e-8, rel=0.01)
    assert literal.eta == pytest.approx(0.00622, rel=0.01)
    assert (literal.eta2, literal.sd_b, literal.smoothing) == (1.0, 0.04, 0.04)
    second = config.network().a
    assert isinstance(second, Gaussian)
    assert second.sd == pytest.approx(4.0)
    assert config.step_sizes().sd_b == pytest.approx(0.4)
    assert INTERVAL.config.law().truth.positive_share == pytest.approx(0.585, abs=5e-4)


@pytest.mark.parametrize("method", ["ntk", "random-features", "one-step", "two-step"])
def test_every_method_takes_the_same_number_of_steps(method):
    config = replace(SMALL, method=method)
    phases: Any = config.experiment().phases
    assert sum(phase.steps for phase in phases) == SMALL.steps
    frozen = phases[-1].network.trained
    assert frozen == (("move",) if method == "ntk" else ("a",))


def test_without_structure_the_scales_of_the_network_stay():
    bare = replace(SMALL, structure=False)
    assert bare.network().a == SMALL.network().a
    assert bare.law().truth.unstructured


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"k": 13}, "k: expected at most dictionary = 12, got 13."),
        (
            {"dictionary": 31},
            "dictionary: expected at most d = 30 orthonormal patterns, got 31. "
            "Try --mu for an incoherent dictionary.",
        ),
        ({"positive": (4,)}, "positive: expected counts from 0 to k = 3, got (4,)."),
        ({"p_o": 0.6}, "p-o: expected 0 < p_o <= 1/2, got 0.6."),
        ({"p_o": 0.0}, "p-o: expected 0 < p_o <= 1/2, got 0.0."),
        ({"negative": 1.0}, "negative: expected a share of class -1 between 0 and 1, got 1.0."),
        ({"width": 5}, "width: expected an even number of neurons, got 5."),
    ],
)
def test_bad_input_is_refused_in_one_sentence(changes, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        replace(SMALL, **changes)


def test_a_label_that_no_pattern_is_correlated_with_is_refused():
    message = (
        "positive: expected a label that is correlated with the relevant patterns (A1), got "
        "gamma = 0 at k = 4. Parity of an even k is not, nor any label without structure: "
        "try an odd k."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        replace(SMALL, k=4).experiment()


def test_centred_features_with_a_constant_can_favour_the_larger_class(rng):
    y = np.where(rng.random(400) < 0.2, 1.0, -1.0)
    noise = rng.normal(size=(400, 3))
    noise -= noise.mean(axis=0)
    fitted = {}
    for name, x in (("centred", noise), ("with 1", with_constant(noise))):
        family = Family(
            name=name, kernel=lambda x, z: x @ z.T, features=lambda x: x, dimension=x.shape[1]
        )
        batch = Batch(x=jnp.asarray(x), y=jnp.asarray(y))
        fitted[name] = 1 - fit(family, batch, loss="hinge", lam=1e-4).score(batch).error
    assert fitted["centred"] < 0.7
    assert fitted["with 1"] == pytest.approx((y < 0).mean(), abs=0.02)
