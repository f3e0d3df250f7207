"""What is told of a judgement: every number of its document, and words at their thresholds."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import featlearn as fl
from featlearn.theory.check import check, statement_job, to_document
from featlearn.theory.hypotheses import Hypothesis
from featlearn.theory.readings import deciding_verdict, interval, value_of
from featlearn.theory.scope import _three_digits, number, windows
from featlearn.theory.text import Role, Unknown
from featlearn.theory.verdict import Grade, ReadingVerdict, Strength, deciding_part

HOLDS, FAILS, OPEN = fl.Verdict.HOLDS, fl.Verdict.FAILS, fl.Verdict.OPEN
UNDECIDED, VACUOUS, OUT = fl.Verdict.UNDECIDED, fl.Verdict.VACUOUS, fl.Verdict.OUT_OF_SCOPE


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """A configuration."""

    d: int = 3
    """Input dimension."""


def judged(*claims, **more):
    return check(
        fl.Statement(
            id="my.claim", config=Sizes(), evidence=lambda config, lab: list(claims), **more
        )
    )


def test_a_document_has_the_numbers_of_the_part_that_decides():
    values = np.array([1.0, 2.0, 3.0])
    document: dict[str, Any] = to_document(
        judged(fl.exact_bound("y", 0.5, 1.0), fl.bound("x", values, 2.5))
    )
    # t_.999 of two degrees is 22.327; the standard error 1/sqrt 3.
    error = 1 / math.sqrt(3)
    assert (document["verdict"], document["predicted"]) == ("UNDECIDED", 2.5)
    assert (document["measured"], document["stderr"]) == pytest.approx((2.0, error))
    first, second = document["parts"]
    assert (first["measured"], first["predicted"], first["p_value"]) == (0.5, 1.0, 1.0)
    assert (first["stderr"], first["ci"]) == (None, None)
    assert second["ci"] == pytest.approx([2 - 22.327125 * error, 2 + 22.327125 * error], rel=1e-6)
    assert second["relation"] == "<="
    assert second["strength"]["detectable"] > 1
    assert first["strength"]["detectable"] is None
    assert document["readings"]["printed"]["verdict"] == "UNDECIDED"


def test_a_part_of_another_reading_does_not_decide():
    of_proof = fl.exact_bound("y", 2.0, 1.0).under(fl.Reading.PROOF)
    judgement = judged(fl.exact_bound("x", 0.5, 1.0), of_proof)
    assert (judgement.verdict, judgement.reading) == (HOLDS, fl.Reading.PRINTED)
    assert judgement.deciding is not None
    assert judgement.deciding.name == "x"
    assert to_document(judgement)["measured"] == 0.5


@pytest.mark.parametrize(
    ("sharpness", "word"),
    [(None, ""), (1.0, "tight"), (2.0, "tight"), (2.001, "loose"), (100.0, "loose"), (101, "idle")],
)
def test_a_bound_is_tight_up_to_two_and_loose_up_to_a_hundred(sharpness, word):
    assert Strength(grade=Grade.COMPUTED, sharpness=sharpness).sharp == word


def test_only_what_holds_is_weak():
    weak, strong = fl.exact_bound("x", 1e-3, 1.0), fl.exact_bound("z", 0.9, 1.0)
    assert judged(weak, strong).weak == "x: idle: the bound could be 1e+03 times as strict"
    assert judged(strong).weak == ""
    fails = fl.identity("y", 1.0, 3.0, tolerance=0.5)
    assert fails.part.strength.weak
    assert judged(fails).weak == ""


def test_the_worst_part_decides_and_the_first_of_them():
    def part(verdict, name):
        return fl.Part(name=name, relation="=", measured=1.0, predicted=1.0, verdict=verdict)

    order = (FAILS, UNDECIDED, OPEN, OUT, HOLDS, VACUOUS)
    for i, worse in enumerate(order):
        for better in order[i + 1 :]:
            parts = (part(None, "n"), part(better, "b"), part(worse, "w1"), part(worse, "w2"))
            found = deciding_part(parts)
            assert found is not None
            assert found.name == "w1"
    assert deciding_part(()) is None


def test_the_first_reading_that_decides_is_told():
    def read(reading, verdict):
        return ReadingVerdict(reading=reading, verdict=verdict, reason="")

    printed, proof, run = fl.Reading.PRINTED, fl.Reading.PROOF, fl.Reading.RUN
    for verdicts, expected in [
        ((OPEN, OUT, HOLDS), run),
        ((OPEN, FAILS, HOLDS), proof),
        ((OPEN, UNDECIDED, VACUOUS), proof),
        ((OPEN, VACUOUS, OUT), proof),
        ((OPEN, OUT, OUT), printed),
    ]:
        reads = [read(*pair) for pair in zip((printed, proof, run), verdicts, strict=True)]
        assert deciding_verdict(reads).reading is expected


@pytest.mark.parametrize(
    ("reading", "given", "value"),
    [
        ("PRINTED", {"printed": 1.0, "proof": 2.0, "run": 3.0}, 1.0),
        ("PRINTED", {"proof": 2.0, "run": 3.0}, None),
        ("PROOF", {"printed": 1.0, "proof": 2.0, "run": 3.0}, 2.0),
        ("PROOF", {"printed": 1.0, "run": 3.0}, 1.0),
        ("RUN", {"printed": 1.0, "proof": 2.0, "run": 3.0}, 3.0),
        ("RUN", {"printed": 1.0, "proof": 2.0}, 2.0),
        ("CORRECTED", {"printed": 1.0, "proof": "n^2", "run": 3.0}, 3.0),
        ("CORRECTED", {"printed": 1.0, "proof": "n^2"}, 1.0),
    ],
)
def test_a_reading_takes_the_first_number_that_it_may(reading, given, value):
    constant = Unknown(symbol="C", role=Role.HYPOTHESIS, weaker="up", **given)
    assert value_of(constant, fl.Reading[reading]) == value
    assert value_of(None, fl.Reading[reading]) is None


def test_intervals_read_as_they_are():
    inf = math.inf
    told = [interval(ends) for ends in ((0.0, inf), (0.0, 2.0), (2.0, inf), (2.0, 2.0), (2.1, 2.0))]
    assert told == ["> 0", "<= 2", ">= 2", "in [2, 2]", "in none"]


@pytest.mark.parametrize(
    ("value", "whole", "up", "short"),
    [
        (123_456.0, True, True, 124_000),
        (123_456.0, True, False, 123_000),
        (0.012_345, False, True, 0.0124),
        (0.012_345, False, False, 0.0123),
        (12.3, True, True, 13),
        (12.3, True, False, 12),
        (0.4, True, False, 1),
        (100_000.5, True, True, 100_000),  # so near that it is that number
        (123_990.0, True, False, 123_000),
        (1.0, False, True, 1.0),
    ],
)
def test_settings_are_told_in_three_digits_on_the_safe_side(value, whole, up, short):
    assert _three_digits(value, whole, up=up) == short


def test_whole_numbers_are_written_out_up_to_a_million():
    assert [number(n) for n in (999_999, 1_000_000, 2.0)] == ["999999", "1e+06", "2"]


def test_the_windows_of_all_constants_of_a_setting():
    def hypotheses(config):
        def h(value, limit, constant, power=1.0):
            return Hypothesis(
                name="h", value=value, side=">=", limit=limit, constant=constant, power=power
            )

        return [h(8, 2, "C"), h(6, 2, "C"), h(1, 0.5, "C", -1), h(9, 3, "c"), h(1, 1, "")]

    statement = fl.Statement(
        id="my.claim", config=Sizes(), evidence=lambda config, lab: [], hypotheses=hypotheses
    )
    assert windows(statement, Sizes()) == {"C": (0.5, 3.0), "c": (0.0, 3.0)}


def test_what_was_measured_and_missed_no_setting_mends():
    missed = Hypothesis(name="margin >= 1", value=0.5, side=">=", limit=1.0)
    met = Hypothesis(name="margin >= 0", value=0.5, side=">=", limit=0.0)
    part = fl.exact_bound("x", 0.5, 1.0)

    def large(config):
        return [Hypothesis(name="d >= 6", value=config.d, side=">=", limit=6)]

    def of(measured):
        return check(
            fl.Statement(
                id="my.claim",
                config=Sizes(),
                evidence=lambda config, lab: fl.Evidence(parts=(part,), hypotheses=(measured,)),
                hypotheses=large,
            )
        )

    assert "setting" not in of(missed).reason
    assert of(met).reason.endswith("The nearest setting that would do: d = 6.")


def test_the_time_of_a_measurement_is_told_to_a_millisecond(monkeypatch):
    clock = iter([10.0, 12.34567])
    monkeypatch.setattr("featlearn.theory.job.time.perf_counter", lambda: next(clock, 99.0))
    statement = fl.Statement(
        id="my.claim",
        config=Sizes(),
        evidence=lambda config, lab: [fl.exact_bound("x", 0.5, 1.0)],
    )
    job = statement_job(statement, 1, 0, {})
    assert job.measure(None).seconds == 2.346


def test_a_hypothesis_that_any_constant_meets_allows_them_all():
    free = Hypothesis(name="h", value=1.0, side=">=", limit=0.0, constant="C")
    assert free.allowed == (0.0, math.inf)


def test_a_judgement_that_is_no_number_has_none():
    told = to_document(replace(judged(fl.reported("x", math.inf)), verdict=None))
    assert (told["verdict"], told["measured"], told["predicted"]) == (None, None, None)
