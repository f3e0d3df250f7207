"""Grids of configurations, and the text they are written in."""

import re

import pytest

from featlearn._check import InputError
from featlearn.experiments.grid import configurations, log_range, parse_over
from featlearn.papers.glasgow2023.xor import Xor


def test_values_take_the_type_of_their_field():
    grid = parse_over(["d=20,40", "eta=0.1", "batch=none,8", "rotated=true,false"], [Xor()])
    assert grid == {"d": (20, 40), "eta": (0.1,), "batch": (None, 8), "rotated": (True, False)}


def test_a_range_is_evenly_spaced_in_the_logarithm_and_whole_where_the_field_is():
    grid = parse_over(["d=32..512:5", "eta=0.01..1:3"], [Xor()])
    assert grid == {"d": (32, 64, 128, 256, 512), "eta": (0.01, 0.1, 1.0)}
    assert log_range(1, 3, 9, whole=True) == (1, 2, 3), "equal whole numbers are taken once"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "widht=3",
            "--over widht=3: expected field=v1,v2,… or field=low..high:count with one of the "
            f"fields {', '.join(vars(Xor()))}, got 'widht'. Did you mean width?",
        ),
        ("d=a", "--over d: expected an integer, got 'a'."),
        ("d=", "--over d: expected at least one value, got none."),
        ("d=9..3:2", "log range: expected 0 < low <= high, got 9.0..3.0."),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(text, message):
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        parse_over([text], [Xor()])


def test_a_field_is_swept_once():
    with pytest.raises(InputError, match="each field once"):
        parse_over(["d=2", "d=3"], [Xor()])


def test_every_combination_is_a_point_and_a_refused_one_keeps_its_reason():
    points = configurations(Xor(width=7), {"d": (1, 30), "eta": (0.1, 0.2)}, "xor")
    assert [point for point, _ in points] == [
        {"d": 1, "eta": 0.1},
        {"d": 1, "eta": 0.2},
        {"d": 30, "eta": 0.1},
        {"d": 30, "eta": 0.2},
    ]
    made = [config for _, config in points]
    assert isinstance(made[0], InputError)
    assert made[3] == Xor(width=7, d=30, eta=0.2)
