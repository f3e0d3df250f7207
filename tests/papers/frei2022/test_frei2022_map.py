"""The map of benign and harmful overfitting: its arithmetic, and its larger step."""

from typing import Any

import numpy as np
import pytest
import xarray as xr

from featlearn._config import fields, replace
from featlearn.experiments.lab import Lab
from featlearn.papers.frei2022.items import map as overfitting
from featlearn.papers.frei2022.setting import CLUSTERS, HIGH, LOW
from featlearn.reproduction.item import Context

CONTEXT = Context(size="quick", lab=Lab())


def test_the_settings_are_figure_2s_but_for_sizes_step_and_noise():
    for named in (LOW, HIGH):
        theirs = named.config
        point = overfitting.setting(1.0, theirs.samples, theirs.d, overfitting.FLOW_TIME)
        other = {"eta", "steps", "records"}
        assert {k: v for k, v in fields(point).items() if k not in other} == {
            k: v for k, v in fields(theirs).items() if k not in other
        }
        assert point.eta * point.total_steps == overfitting.FLOW_TIME
    assert LOW.config.eta * LOW.config.total_steps == overfitting.FLOW_TIME
    doubled = overfitting.setting(2.0, 200, 10, 1e4)
    assert doubled.noise_sd == pytest.approx(2 * 10**-0.6)


def test_the_excess_counts_from_the_time_at_which_the_centres_are_learned():
    dataset = xr.Dataset(
        {
            "test_accuracy": (("seed", "step"), [[0.5, 0.8, 0.84, 0.75]]),
            "ceiling_accuracy": (("seed", "step"), [[0.85, 0.85, 0.85, 0.85]]),
        },
        coords={"step": [0, 5, 10, 100]},
    )
    np.testing.assert_allclose(overfitting.excess(dataset, 1.6), [[1.0, 10.0]])


def test_each_regime_has_its_share_and_its_place():
    missed = np.array([[0.2, 6.0], [0.3, 0.4]])
    grown = np.array([[0.1, 2.0], [0.0, 1.9]])
    fitted = np.array([[100.0, 90.0], [20.0, 60.0]])
    rows = overfitting.regimes(CONTEXT, 1.0, missed, grown, fitted)
    told = {row.quantity.split(":")[0]: (row.measured, row.why) for row in rows}
    assert told["benign"] == (25.0, "n from 50 to 50, d from 10 to 10")
    assert told["harmful"] == (25.0, "n from 50 to 50, d from 500 to 500")
    assert told["not yet"] == (25.0, "n from 200 to 200, d from 10 to 10")


@pytest.mark.slow
def test_sixteen_times_the_step_fits_as_many_flips_in_a_sixteenth_of_the_steps():
    def fitted(**changes: Any) -> tuple[float, float]:
        config = replace(overfitting.setting(1.0, 50, 20, 1600.0), changes, "test")
        data = CONTEXT.lab.run(CLUSTERS, seeds=6, **fields(config)).dataset.isel(step=-1)
        return float(data["noisy_accuracy"].mean()), float(data["test_accuracy"].mean())

    large, small = fitted(), fitted(eta=0.1, steps=16_000)
    # The same seeds, points and starts: two of the 45 flips or so may be at their threshold.
    np.testing.assert_allclose(large, small, atol=0.05)
    assert 0.5 < large[0] < 0.95
