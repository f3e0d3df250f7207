"""Configurations: what is derived from their fields, and what is refused."""

import re
from dataclasses import dataclass
from dataclasses import replace as with_changes
from typing import Any, Literal

import pytest

from featlearn import _config
from featlearn._check import InputError


@dataclass(frozen=True, kw_only=True)
class Toy:
    """One field of every kind."""

    d: int = 10
    """Input dimension."""
    eta: float = 0.5
    """Step size,
    on two lines."""
    batch: int | None = None
    sizes: tuple[int, ...] = (1, 2)
    """A list."""
    loss: Literal["hinge", "logistic"] = "hinge"
    order: Literal[1, 2] = 1
    rotated: bool = False
    title: str = "toy"


PARSED = (
    ("d", "12", 12),
    ("eta", "1e-3", 1e-3),
    ("batch", "none", None),
    ("batch", "7", 7),
    ("sizes", "64,128", (64, 128)),
    ("loss", "logistic", "logistic"),
    ("order", "2", 2),
    ("rotated", "True", True),
    ("rotated", "false", False),
    ("title", "a,b", "a,b"),
)


@pytest.mark.parametrize(("name", "text", "value"), PARSED)
def test_a_flag_becomes_a_value_of_its_field(name, text, value):
    parsed = _config.parse(text, _config.field_types(Toy)[name], f"--{name}")
    assert parsed == value
    assert type(parsed) is type(value)


REFUSED_FLAGS = {
    "--d: expected an integer, got '1e3'.": ("d", "1e3"),
    "--eta: expected a number, got 'fast'.": ("eta", "fast"),
    "--sizes: expected an integer, got ''.": ("sizes", "64,"),
    "--loss: expected one of 'hinge', 'logistic', got 'mse'.": ("loss", "mse"),
    "--order: expected one of 1, 2, got '3'.": ("order", "3"),
    "--rotated: expected true or false, got 'yes'.": ("rotated", "yes"),
}


@pytest.mark.parametrize("sentence", REFUSED_FLAGS)
def test_a_flag_that_does_not_fit_is_refused_in_words(sentence):
    name, text = REFUSED_FLAGS[sentence]
    with pytest.raises(InputError, match=f"^{re.escape(sentence)}$"):
        _config.parse(text, _config.field_types(Toy)[name], f"--{name}")


REFUSED_CHANGES: dict[str, dict[str, Any]] = {
    "run: expected one of the fields d, eta, batch, sizes, loss, order, rotated, title, "
    "got 'etta'. Did you mean eta?": {"etta": 1.0},
    "run: d: expected an integer, got 1.5.": {"d": 1.5},
    "run: d: expected an integer, got True.": {"d": True},
    "run: eta: expected a number, got False.": {"eta": False},
    "run: batch: expected an integer or none, got 'all'.": {"batch": "all"},
    "run: sizes: expected a list of integers, got [1, 'x'].": {"sizes": [1, "x"]},
    "run: loss: expected one of 'hinge', 'logistic', got 'mse'.": {"loss": "mse"},
}


@pytest.mark.parametrize("sentence", REFUSED_CHANGES)
def test_a_change_that_does_not_fit_is_refused_in_words(sentence):
    with pytest.raises(InputError, match=f"^{re.escape(sentence)}$"):
        _config.replace(Toy(), REFUSED_CHANGES[sentence], "run")


def test_a_change_touches_its_field_and_no_other():
    start = Toy(d=3, batch=5, title="mine")
    changed = _config.replace(start, {"eta": 2, "sizes": [4]}, "run")
    assert changed == with_changes(start, eta=2, sizes=(4,))
    assert _config.changed_fields(changed, start) == {"eta": 2, "sizes": (4,)}


def test_the_text_under_a_field_is_its_help_on_one_line():
    assert _config.field_help(Toy) == {
        "d": "Input dimension.",
        "eta": "Step size, on two lines.",
        "sizes": "A list.",
    }


def test_fields_keep_their_order():
    assert list(_config.fields(Toy())) == list(_config.field_types(Toy)) == list(vars(Toy()))
