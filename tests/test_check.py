"""The error texts themselves: they are output, so all of each is compared."""

import pickle
import re

import pytest

from featlearn._check import (
    InputError,
    require,
    require_one_of,
    require_positive,
    suggestion,
)

SENTENCES = {
    "f(k): expected k > 0, got 0.": lambda: require(False, "f(k)", "k > 0", 0),
    "f(k): expected k > 0, got 0. Try k=1.": lambda: require(False, "f(k)", "k > 0", 0, "Try k=1."),
    "loss: expected one of 'square', 'hinge', got 'mse'.": lambda: require_one_of(
        "mse", ["square", "hinge"], "loss"
    ),
    "eta: expected a positive number, got 0.": lambda: require_positive(0, "eta"),
    "eta: expected a positive number, got nan.": lambda: require_positive(float("nan"), "eta"),
    "eta: expected a positive number, got inf.": lambda: require_positive(float("inf"), "eta"),
    "d: expected at least 2, got 1.": lambda: require_positive(1, "d", least=2),
    "d: expected at least 2, got inf.": lambda: require_positive(float("inf"), "d", least=2),
}


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_mistake_is_answered_with_one_whole_sentence(sentence):
    with pytest.raises(InputError, match=f"^{re.escape(sentence)}$"):
        SENTENCES[sentence]()


def test_what_is_right_passes_in_silence():
    require(True, "f", "anything", 0)
    require_one_of("hinge", ["square", "hinge"], "loss")
    require_positive(1e-300, "eta")
    require_positive(2, "d", least=2)


def test_the_four_parts_of_a_message_stay_readable():
    error = InputError("f(k)", "k > 0", 0, "Try k=1.")
    assert (error.where, error.expected, error.got, error.hint) == (
        "f(k)",
        "k > 0",
        "0",
        "Try k=1.",
    )


def test_an_error_survives_the_way_home_from_another_process():
    error = InputError("f(k)", "k > 0", 0, "Try k=1.")
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is InputError
    assert str(back) == str(error)
    assert vars(back) == vars(error)


def test_the_nearest_known_word_is_suggested_and_otherwise_nothing():
    assert suggestion("widht", ["d", "width", "theta"]) == "Did you mean width?"
    assert suggestion("zzzz", ["d", "width"]) == ""
    assert suggestion("zzzz", ["d", "width"], otherwise="See `papers`.") == "See `papers`."
