"""A result in a notebook: its table escapes everything, its curves are the recorded numbers."""

from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
import xarray as xr

from featlearn import InputError
from featlearn.experiments.run import Estimate, Result
from featlearn.papers.glasgow2023.xor import Xor

matplotlib.use("Agg")

LOSS = np.arange(6.0).reshape(2, 3)
SIGNAL = np.arange(24.0).reshape(2, 3, 4)


@pytest.fixture
def result():
    diverged = ("seed", [np.nan, 7.0])
    coordinates = {"seed": [5, 6], "step": [0, 10, 100], "diverged_at": diverged}
    values = {
        "loss": (("seed", "step"), LOSS),
        "signal": (("seed", "step", "neuron"), SIGNAL),
        "w": (("seed", "step", "neuron", "input"), np.zeros((2, 3, 4, 2))),
        "end": (("seed",), np.zeros(2)),
    }
    return Result(
        id="my.<script>",
        config=Xor(),
        seeds=(5, 6),
        dataset=xr.Dataset(values, coordinates),
        summary={"a<b": Estimate(values=(1.0, 3.0)), "never": Estimate(values=(None, None))},
        status="computed",
        path=Path("results"),
    )


def test_the_table_has_every_quantity_and_escapes_it(result):
    text = result._repr_html_()
    assert "<td>a&lt;b</td><td>2</td><td>1</td><td>2/2</td>" in text
    assert "<td>never</td><td></td><td></td><td>0/2</td>" in text
    assert "my.&lt;script&gt;" in text
    assert "<script>" not in text
    assert "<td>--batch-ratio</td>" in text or "<td>batch-ratio</td>" in text


def test_a_script_prints_the_same_table_with_what_diverged(result):
    lines = str(result).splitlines()
    assert lines[1].split() == ["quantity", "mean", "±", "standard", "error", "seeds"]
    assert lines[2].split() == ["a<b", "2", "1", "2/2"]
    assert lines[3].split() == ["never", "0/2"]
    assert lines[4] == "diverged: seed 6 at step 7"
    assert "diverged: seed 6 at step 7" in result._repr_html_()


def test_the_title_of_curves_names_the_seed_and_nothing_else(result):
    result.plot("signal", seed=6)
    assert plt.gca().get_title() == "seed = 6"


def test_a_place_of_an_axis_can_be_chosen(result):
    lines = result.plot("signal", neuron=2)
    np.testing.assert_array_equal([line.get_ydata() for line in lines], SIGNAL[:, :, 2])
    lines = result.plot("w", input=1)
    assert len(lines) == 4


def test_a_line_a_seed(result):
    lines = result.plot("loss")
    np.testing.assert_array_equal([line.get_ydata() for line in lines], LOSS)
    (one,) = result.plot("loss", seed=6)
    np.testing.assert_array_equal(one.get_ydata(), LOSS[1])


def test_a_line_a_neuron_of_one_seed(result):
    lines = result.plot("signal")
    np.testing.assert_array_equal([line.get_ydata() for line in lines], SIGNAL[0].T)
    lines = result.plot("signal", seed=6)
    np.testing.assert_array_equal([line.get_ydata() for line in lines], SIGNAL[1].T)


@pytest.mark.parametrize("name", ["w", "end", "nothing"])
def test_what_is_no_curve_is_refused_in_a_sentence(result, name):
    with pytest.raises(InputError, match="plot"):
        result.plot(name)
