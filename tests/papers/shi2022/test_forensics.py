"""The studies behind the tables, each against something that is known otherwise."""

from dataclasses import replace
from pathlib import Path

import jax.numpy as jnp
import numpy as np
import pytest

from featlearn.experiments.lab import Lab
from featlearn.papers.shi2022.dimension import (
    DimensionEstimate,
    calibrated,
    dimension_of_random,
    largest_cosine,
    squared_tangent,
)
from featlearn.papers.shi2022.early import early_weights
from featlearn.papers.shi2022.every_table import TABLES, every_block
from featlearn.papers.shi2022.float32 import cosines_by_arithmetic
from featlearn.papers.shi2022.items import memorisation
from featlearn.papers.shi2022.items.directions_or_scale import Neurons, mixed
from featlearn.papers.shi2022.items.later_class_weights import misfit
from featlearn.papers.shi2022.items.table_4_dimension import judged
from featlearn.papers.shi2022.kinks import along_counts, covered_gaps, with_kinks
from featlearn.papers.shi2022.patterns import PatternTraining
from featlearn.papers.shi2022.read_out import _accuracy, _descend
from featlearn.reproduction.item import Context
from featlearn.results.ledger import Status

TOY = PatternTraining(d=40, dictionary=12, k=3, width=60, samples=2000, batch=500, steps=60)


def simulated_cosine(rng: np.random.Generator, d: int, m: int, runs: int) -> float:
    w = rng.standard_normal((runs, m, d))
    return float((w[..., 0] / np.linalg.norm(w, axis=-1)).max(axis=1).mean())


@pytest.mark.parametrize(("d", "m"), [(100, 300), (30, 50)])
def test_the_largest_cosine_is_that_of_simulated_directions(rng, d, m):
    # Its spread is about .35/sqrt d: the mean over 100 runs has an error of .1 of that, five times.
    assert largest_cosine(d, m) == pytest.approx(
        simulated_cosine(rng, d, m, 100), abs=0.18 / np.sqrt(d)
    )


def test_the_dimension_is_found_again_from_simulated_cosines(rng):
    found = dimension_of_random(simulated_cosine(rng, 100, 100, 100), 100)
    assert 90 < found < 111


def test_the_calibrated_interval_has_a_known_dimension_and_not_one_five_times_as_large(rng):
    def raw(d: int) -> float:
        return 1.7 * d * float(np.exp(0.1 * rng.standard_normal()))

    known = [(raw(d), float(d)) for d in (100, 500, 2000, 500, 500, 100)]
    found = calibrated([raw(100), raw(100)], known)
    assert found.has(100)
    assert not found.has(500)
    assert found.low < found.d < found.high


@pytest.mark.parametrize(
    ("low", "high", "status"),
    [(23, 382, Status.DIFFERS), (15, 608, Status.CANNOT_TELL), (183, 1217, Status.AGREES)],
)
def test_an_interval_with_both_dimensions_tells_nothing(low, high, status):
    assert judged(DimensionEstimate(d=200.0, low=low, high=high)) is status


def test_an_isotropic_residue_has_a_squared_tangent_in_proportion_to_d(rng):
    tangents = []
    for d in (100, 400):
        w = 0.01 * rng.standard_normal((400, d))
        w[:, 0] += 1
        cosine = (w[:, 0] / np.linalg.norm(w, axis=1)).mean()
        tangents.append(squared_tangent(float(cosine)))
    assert tangents[1] / tangents[0] == pytest.approx(4, rel=0.05)


def test_the_residue_of_float32_falls_with_the_step_and_exact_steps_have_none():
    etas = np.array([1e-9, 1e-2])
    found = cosines_by_arithmetic(replace(TOY, simulation="plain"), etas, seed=0)
    assert found.exact > 0.95
    assert found.rounded[0] < 0.7, "w is mostly rounding"
    assert found.rounded[1] == pytest.approx(found.exact, abs=1e-3)


def test_kinks_between_counts_are_counted_by_hand():
    z = np.array([[-0.5, 5.0], [0.5, 5.0], [1.5, 5.0], [2.0, 5.0]])
    assert with_kinks(z).tolist() == [True, False]
    assert covered_gaps(z) == 2
    assert covered_gaps(z[:, 1:]) == 0


def test_counts_run_along_the_pre_activations_of_points():
    params = early_weights(TOY, 0)[0]
    z = along_counts(TOY, params)
    law = TOY.experiment().law
    phi = np.zeros((2, TOY.dictionary))
    phi[:, TOY.k :] = law.truth.background_rate
    phi[1, : TOY.k] = 1
    x = np.asarray(law.normalised(jnp.asarray(phi), None))
    direct = x @ np.asarray(params.w).T + np.asarray(params.b)
    np.testing.assert_allclose(z[[0, -1]], direct, atol=1e-5)


def test_mixed_neurons_have_the_directions_of_one_step_and_the_norms_of_another():
    steps = early_weights(TOY, 0)
    made = mixed(steps, Neurons(directions=1, ratio=2, norm=2.0))
    w, one, two = (np.asarray(each.w, np.float64) for each in (made, steps[1], steps[2]))
    live = np.linalg.norm(two, axis=1) > 0
    np.testing.assert_allclose(
        np.linalg.norm(w, axis=1), 2 * np.linalg.norm(two, axis=1), rtol=1e-4
    )
    unit = [each[live] / np.linalg.norm(each[live], axis=1, keepdims=True) for each in (w, one)]
    np.testing.assert_allclose(unit[0], unit[1], atol=1e-4)
    same = mixed(steps, Neurons(directions=2, ratio=2))
    np.testing.assert_allclose(np.asarray(same.w), np.asarray(steps[2].w), rtol=1e-4)


def test_sgd_reads_out_a_feature_that_is_the_label_and_none_that_is_constant(rng):
    y = np.where(rng.random(2000) < 0.5, 1.0, -1.0).astype(np.float32)
    label, constant = y[:, None], np.ones((2000, 1), np.float32)
    assert _accuracy(label @ _descend(label, y, 0.5, 20), y) == 1
    assert _accuracy(constant @ _descend(constant, y, 0.5, 20), y) < 0.6


def test_the_nearer_reading_has_the_smaller_misfit():
    block = TABLES["table-4"][0]
    near = {
        name: np.array([block.paper("NTK", name)]) for name in ("train accuracy", "test accuracy")
    }
    far = {name: values + 10 for name, values in near.items()}
    assert misfit(near, block, "NTK").tolist() == [0]
    assert misfit(far, block, "NTK") == pytest.approx(10)


def test_there_are_eight_blocks_and_every_printed_number_is_found():
    assert len(list(every_block())) == 8
    assert TABLES["table-2"][0].paper("One Step", "test accuracy") == 41.0


@pytest.mark.slow
def test_a_small_sample_is_memorised_and_then_the_cell_is_not_unreachable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    small = {"dictionary": 40, "d": 50, "width": 200, "samples": 200, "batch": 100, "steps": 400}
    block = replace(TABLES["table-1"][0], changes=small)
    monkeypatch.setattr(memorisation, "every_block", lambda *tables: [("table-1", block)])
    monkeypatch.setattr(memorisation, "CONTROL", {"samples": 100, "batch": 100})
    context = Context(size="quick", lab=Lab.at(tmp_path / "store"))
    rows = memorisation.ITEM.reproduce(context).rows
    cell = next(row for row in rows if row.recipe == "memorise")
    assert cell.measured is not None
    assert cell.measured > 95
    assert cell.status is Status.FITTED


def test_the_best_of_what_was_tried_is_the_largest_mean_without_the_diverged():
    found = {
        "plain": {1: (0.3, np.array([60.0, 70.0]))},
        "adam": {1: (0.1, np.array([np.nan, 100.0])), 4: (0.1, np.array([80.0, 90.0]))},
    }
    assert memorisation.best_of(found)[:2] == ("adam", 4)
