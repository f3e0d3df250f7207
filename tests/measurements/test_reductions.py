"""Reductions of a small dataset that can be summed up by hand."""

import re

import numpy as np
import pytest
import xarray as xr

import featlearn as fl
from featlearn._check import InputError
from featlearn.experiments.experiment import summarised

DATA = xr.Dataset(
    {
        "loss": (("seed", "step"), [[3.0, 2.0, 0.0], [3.0, 3.0, 3.0]]),
        "margin": (
            ("seed", "step", "cluster"),
            [[[0.0, 1.0], [1.0, 3.0], [5.0, 2.0]], [[0.0, 0.0]] * 3],
        ),
    },
    {"seed": [0, 1], "step": [0, 4, 8], "diverged_at": ("seed", [np.nan, np.nan])},
)


def of(reduction, data=DATA):
    return summarised((reduction,), data)[reduction.name].tolist()


def test_the_last_value_over_other_axes_is_the_mean_the_least_or_the_largest():
    assert of(fl.Last(quantity="loss")) == [0.0, 3.0]
    assert of(fl.Last(quantity="margin")) == [3.5, 0.0]
    assert of(fl.Last(quantity="margin", by="min", name="least")) == [2.0, 0.0]
    assert of(fl.Last(quantity="margin", by="max")) == [5.0, 0.0]
    assert of(fl.Best(quantity="loss", name="worst")) == [3.0, 3.0]


def test_a_crossing_waits_for_every_place_of_an_axis():
    above = fl.Reaches(quantity="margin", level=2.0)
    below = fl.Reaches(quantity="loss", level=1.0, side="<=")
    both = of(fl.Crossing(name="t", when=(above, below)))
    # The least margin is 0, 1, 2: at its level at 8. The loss is at 1 at 6.
    np.testing.assert_array_equal(both, [8.0, np.nan])
    np.testing.assert_array_equal(of(fl.Crossing(name="t", when=(below,))), [6.0, np.nan])


def test_a_seed_that_diverged_has_no_numbers():
    ended = DATA.assign_coords(diverged_at=("seed", [np.nan, 5.0]))
    np.testing.assert_array_equal(of(fl.Last(quantity="loss"), ended), [0.0, np.nan])


def test_what_is_not_recorded_or_not_one_a_seed_is_refused():
    with pytest.raises(InputError, match=re.escape("expected one of loss, margin, got 'los'.")):
        of(fl.Last(quantity="los"))
    scalar = fl.Computed(name="mean", function=lambda data: data["loss"].mean().values)
    with pytest.raises(
        InputError, match=re.escape("one number per seed, shape (2,), got shape ().")
    ):
        of(scalar)
    with pytest.raises(InputError, match="'mean', 'min' or 'max', got median"):
        fl.Last(quantity="loss", by="median")
