"""The experiment: what it refuses, what it learns at toy size, and its items."""

from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn.cli.main import main
from featlearn.distributions import LeakyParity
from featlearn.experiments.lab import Lab
from featlearn.experiments.run import run
from featlearn.networks import Params
from featlearn.papers.daniely2020.good_start import GoodStart, balanced_weights
from featlearn.papers.daniely2020.grouped import GROUPED, Grouped
from featlearn.papers.daniely2020.items import first_step, parity
from featlearn.papers.daniely2020.parity import LITERAL, PARITY, PRINTED, Parities
from featlearn.reproduction.item import Context
from featlearn.training import gradient, loss

TOY: dict[str, Any] = {"d": 31, "k": 3, "width": 40, "steps": 20, "test": 500, "records": 4}


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--k", "4"], "k: expected an odd number of relevant bits, got 4."),
        (["--k", "9", "--d", "7"], "k: expected at most d = 7, got 9."),
        (["--relevant", "1,2"], "relevant: expected k = 5 different bits, got 1,2."),
        (["--width", "0"], "width: expected an even number of neurons, at least 2, got 0."),
        (["--pairing", "negated"], "first: expected a sampled first step for the negated start"),
    ],
)
def test_bad_input_ends_with_code_two_and_one_sentence(flags, message, capsys):
    assert main(["run", "daniely2020.parity", *flags]) == 2
    assert message in capsys.readouterr().err


def test_the_literal_step_size_is_that_of_theorem_2():
    config = Parities(k=7, width=200, steps=500, schedule="literal")
    assert config.step_size == pytest.approx(49 / (500 * 10))
    assert Parities().step_size == 0.01


def test_the_first_step_finds_the_bits_wherever_they_are():
    result = run(PARITY, seeds=2, **{**TOY, "d": 101, "relevant": (90, 3, 50)})
    after = result.dataset.sel(step=1)
    assert float(after["cos"].min()) > 0.9
    assert float(after["leaky_accuracy"].min()) == 1.0
    assert result.dataset["step"].values[:2].tolist() == [0, 1]


@pytest.mark.parametrize("named", [LITERAL, PRINTED], ids=lambda named: named.id)
def test_the_other_recipes_run_through_the_same_loop(named):
    result = run(named, seeds=1, **{**TOY, "batch": 50, "first_batch": 500})
    assert result.summary["test_accuracy"].reached == 1
    assert np.isfinite(result.dataset["gradient_error"].values).all()


def test_the_good_neurons_train_as_they_do_within_the_whole_network(key):
    # The same neurons with all d inputs, over all 2^d points, move as on the 2^k points of x_A.
    start = GoodStart(d=11, k=3, width=8)
    params = start.init(key=key)
    assert float(jnp.abs(params.a).max()) == 0.0
    params = replace(params, a=jax.random.normal(key, (8,)))
    whole = LeakyParity(d=11, k=3)
    wide = Params(w=jnp.pad(params.w, ((0, 0), (0, 8))), a=params.a, b=params.b)
    network = replace(start.network, d=11)
    left = gradient(start.network, loss("hinge"), params, whole.of_relevant_bits().support())
    right = gradient(network, loss("hinge"), wide, whole.support())
    # Sums of 2048 terms of order 1 in float32, in an order that the machine chooses.
    np.testing.assert_allclose(left.w, right.w[:, :3], atol=5e-6)
    np.testing.assert_allclose(left.a, right.a, atol=5e-6)
    assert float(jnp.abs(right.w[:, 3:]).max()) < 5e-6


def test_balanced_rows_are_uniform_over_all_of_them(key):
    rows = np.asarray(balanced_weights(14_000, 3, key=key))
    assert bool((rows.sum(axis=1) == 0).all())
    shares = np.unique(rows, axis=0, return_counts=True)[1] / len(rows)
    assert len(shares) == 7
    # Five standard errors of 1/7 are 0.015; drawing the number of pairs evenly gives 1/2 for 0.
    np.testing.assert_allclose(shares, 1 / 7, atol=0.015)


def test_population_gradients_at_every_step_leave_no_sampling_error():
    result = run(GROUPED, seeds=2, d=10_000, k=3, width=40, steps=30, records=4)
    accuracy = result.dataset["test_accuracy"].values.astype(float) * 16
    np.testing.assert_allclose(accuracy, np.rint(accuracy), atol=1e-5)


def test_a_frozen_first_layer_stays_and_the_read_out_moves(key):
    experiment = Grouped(d=100, k=3, width=8, frozen=True).experiment()
    phase: Any = experiment.phases[0]
    assert experiment.start is not None
    points, params = phase.fixed(key=key), experiment.start.init(key=key)
    after = phase.step(phase.start(params, points), 0, points, key=key).params
    assert bool((after.w == params.w).all())
    assert bool((after.b == params.b).all())
    assert float(jnp.abs(after.a - params.a).max()) > 0


@pytest.mark.slow
def test_the_practical_schedule_learns_the_parity_of_three_bits():
    result = run(PARITY, seeds=2, d=101, k=3, width=200, steps=2000, test=4000)
    assert all(
        value is not None and value >= 0.98 for value in result.summary["uniform_accuracy"].values
    )


def test_the_first_step_item_has_agreeing_rows_and_two_figures(monkeypatch):
    monkeypatch.setitem(first_step.SIZES, "quick", {"d": 101, "k": 3, "width": 400})
    found = first_step.ITEM.reproduce(Context(size="quick", lab=Lab()))
    told = {row.quantity: row.status for row in found.rows}
    assert told["balanced share"] == told["weight outside A"] == told["alpha"] == "agrees"
    assert [figure.id for figure in found.figures] == ["daniely2020.weights", "daniely2020.kinks"]
    good = found.figures[0].panels[1].series[0].y
    assert np.all(good[3:] == 0)
    assert np.ptp(good[:3]) < 1e-3 * abs(good[0])


@pytest.mark.slow
def test_the_parity_item_tells_other_k_apart(monkeypatch):
    toy = {**TOY, "batch": 50}
    sizes = {
        "seeds": 1,
        "N": 64,
        "samples": 100,
        "practical": toy,
        "literal": toy,
        "printed": {**toy, "first_batch": 500, "seeds": 2},
        "more": ({**toy, "k": 5},),
        "fixed": ({"d": 31, "k": 3, "test": 100}, {"d": 31, "k": 5, "test": 100}),
    }
    monkeypatch.setitem(parity.SIZES, "quick", sizes)
    rows = parity.ITEM.reproduce(Context(size="quick", lab=Lab())).rows
    told = [(row.quantity, row.recipe) for row in rows]
    assert len(set(told)) == len(told) == 3 + 1 + 2 * 6
    assert ("accuracy on the uniform half, k = 5", "network, practical") in told
    assert ("accuracy on the uniform half", "finite NTK") in told
    assert [row.seeds for row in rows[:3]] == [1, 1, 2]
