"""The search for a threshold, on an experiment whose threshold is known."""

import re
from dataclasses import dataclass

import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.experiments import NamedExperiment
from featlearn.experiments.search import Target, parse_target, search
from featlearn.measurements import Computed
from featlearn.papers.glasgow2023.xor import Xor

TARGET = Target(quantity="size", relation=">=", value=1000.0)


@dataclass(frozen=True, kw_only=True)
class Known:
    """Trains next to nothing; its summary is the square of a field, shifted by the seed."""

    samples: int = 10
    """The field searched over."""
    shift: float = 0.0
    """Moves the threshold of seed s by this many times s."""

    def experiment(self):
        tiny = Xor(d=3, width=2, steps=1, records=2, test=5).experiment()

        def size(dataset):
            return self.samples**2 + self.shift * dataset["seed"].values.astype(float)

        return tiny.replace(summary=(Computed(name="size", function=size),))


KNOWN = NamedExperiment(id="test.known", title="known threshold", config=Known())


def test_the_smallest_whole_value_is_found_exactly(tmp_path):
    found = search(
        KNOWN,
        field="samples",
        reach=TARGET,
        between=(1, 500),
        tolerance=1e-9,
        seeds=2,
        out=tmp_path,
    )
    assert found.values == (32, 32), "31^2 = 961 < 1000 <= 1024 = 32^2"
    assert found.reached == 2
    assert found.centre == pytest.approx(32)
    assert found.trials <= 2 * (2 + np.ceil(np.log2(500)))


def test_seeds_have_thresholds_of_their_own_and_an_interval(tmp_path):
    found = search(
        KNOWN,
        field="samples",
        reach=TARGET,
        between=(1, 500),
        tolerance=1e-9,
        seeds=3,
        out=tmp_path,
        shift=-500.0,
    )
    assert found.values == (32, 39, 45), "the square roots of 1000, 1500, 2000, rounded up"
    assert found.ci is not None
    assert found.centre is not None
    assert found.ci[0] < found.centre < found.ci[1]


def test_a_target_out_of_reach_is_none_and_one_reached_at_once_is_the_lower_end(tmp_path):
    high = search(KNOWN, field="samples", reach=TARGET, between=(1, 20), seeds=1, out=tmp_path)
    assert high.values == (None,)
    assert high.centre is None
    low = search(KNOWN, field="samples", reach=TARGET, between=(40, 80), seeds=1, out=tmp_path)
    assert low.values == (40,)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"field": "sample"},
            "search(field): expected a field, got 'sample'. Did you mean samples?",
        ),
        ({"between": (5, 5)}, "search(between): expected 0 < low < high, got 5..5."),
        (
            {"reach": Target(quantity="sise", relation=">=", value=0.0)},
            "search(reach): expected one of the quantities size, got 'sise'. Did you mean size?",
        ),
    ],
)
def test_what_cannot_be_searched_is_refused_in_one_sentence(tmp_path, changes, message):
    options = {"field": "samples", "reach": TARGET, "between": (1, 9), **changes}
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        search(KNOWN, seeds=1, out=tmp_path, **options)


def untyped(samples):
    return Known(samples=samples).experiment()


@pytest.mark.parametrize(("between", "found"), [((1, 80), 32), ((1.0, 80.0), 31.8)])
def test_whole_ends_search_whole_numbers_where_a_function_does_not_say_its_types(between, found):
    ended = search(untyped, field="samples", reach=TARGET, between=between, seeds=1)
    (value,) = ended.values
    assert value == pytest.approx(found, rel=0.03)
    assert type(value) is type(between[0])


def refuses(samples):
    raise InputError("samples", "other numbers", samples)


def test_a_point_that_fails_is_told_once():
    with pytest.raises(InputError) as told:
        search(refuses, field="samples", reach=TARGET, between=(1, 80), seeds=1)
    assert str(told.value) == (
        "refuses at samples=80: expected a run, got samples: expected other numbers, got 80."
    )


def test_a_target_is_read_from_text():
    assert parse_target("test_loss<=1e-2") == Target(
        quantity="test_loss", relation="<=", value=0.01
    )
    message = "--reach: expected quantity>=number or quantity<=number, got 'accuracy'."
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        parse_target("accuracy")
