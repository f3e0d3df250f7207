"""From parts to a verdict, from a verdict to a file and back."""

import dataclasses
import json
import math
from dataclasses import dataclass

import pytest

import featlearn as fl
from featlearn.theory.check import check, from_document, to_document
from featlearn.theory.verdict import FittedConstant, Trend, combine

HOLDS, FAILS = fl.Verdict.HOLDS, fl.Verdict.FAILS
OUT, UNDECIDED = fl.Verdict.OUT_OF_SCOPE, fl.Verdict.UNDECIDED


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """A configuration."""

    d: int = 3
    """Input dimension."""
    eta: float = 0.5
    """Step size."""


def part(verdict, name="p", **more):
    return fl.Part(name=name, relation="=", measured=1.0, predicted=2.0, verdict=verdict, **more)


def statement(*parts, kind=fl.Kind.IDENTITY, **more):
    return fl.Statement(
        id="my.claim",
        title="A claim",
        kind=kind,
        config=Sizes(),
        evidence=lambda config, seeds: parts,
        **more,
    )


@pytest.mark.parametrize(
    ("verdicts", "verdict"),
    [
        ([HOLDS], HOLDS),
        ([HOLDS, HOLDS], HOLDS),
        ([HOLDS, FAILS, UNDECIDED], FAILS),
        ([HOLDS, UNDECIDED, OUT], UNDECIDED),
        ([HOLDS, OUT], OUT),
        ([None, HOLDS], HOLDS),
        ([None, FAILS], FAILS),
        ([None], None),
    ],
)
def test_a_statement_is_as_good_as_its_worst_part(verdicts, verdict):
    assert check(statement(*map(part, verdicts))).verdict is verdict


def test_a_broken_assumption_puts_the_statement_out_of_scope_and_measures_all_the_same():
    broken = fl.Assumption(name="d is large", holds=False, detail="d = 3")
    plain = fl.Assumption(name="eta is small", holds=False)
    judged = check(statement(part(FAILS), assumptions=lambda config: (broken, plain)))
    assert (judged.verdict, len(judged.parts)) == (OUT, 1)
    assert judged.reason == "Assumptions that fail here: d is large (d = 3); eta is small."


@pytest.mark.parametrize(
    ("kind", "given", "verdict"),
    [
        (fl.Kind.ALL_ALGORITHMS, HOLDS, UNDECIDED),
        (fl.Kind.ALL_ALGORITHMS, FAILS, FAILS),
        (fl.Kind.DEFINITION, HOLDS, None),
        (fl.Kind.DEFINITION, None, None),
    ],
)
def test_the_kind_of_claim_limits_its_verdict(kind, given, verdict):
    assert check(statement(part(given), kind=kind)).verdict is verdict


def test_a_statement_that_measures_nothing_is_refused():
    with pytest.raises(fl.InputError) as told:
        check(statement())
    assert str(told.value) == (
        "my.claim: expected evidence of at least one part, got none. See `Part`."
    )


def test_the_number_of_parts_that_hold_leaves_out_those_that_claim_nothing():
    reason = combine((), (part(HOLDS), part(None), part(HOLDS)))[1]
    assert reason == "All 2 parts hold."


def test_a_judgement_reads_as_text():
    judged = check(statement(part(FAILS, name="B1", reason="off by one")))
    assert str(judged) == ("my.claim: FAILS. B1: off by one\n  FAILS        B1: 1 = 2 (off by one)")


def test_a_judgement_survives_being_written_down():
    constants = {"C": FittedConstant(value=math.inf, ci=(1.0, math.inf))}
    one = part(UNDECIDED, stderr=0.5, ci=(0.0, 2.0), reason="why")
    judged = dataclasses.replace(
        check(statement(one, part(None))),
        constants=constants,
        reason="because",
        trends=(
            Trend(name="T", over="d", x=(1.0, 2.0), measured=(3.0, 4.0), predicted=(5.0, 6.0)),
        ),
    )
    text = json.dumps(to_document(judged), allow_nan=False)
    back = from_document(json.loads(text), "here")
    assert math.isnan(back.constants["C"].value)
    assert dataclasses.replace(back, constants=constants) == judged


@pytest.mark.parametrize(
    "document",
    [[], {}, None, {"id": "x", "verdict": "HOLD", "parts": []}, {"id": 1, "parts": 3}],
)
def test_what_is_no_judgement_is_refused(document):
    with pytest.raises(fl.InputError) as told:
        from_document(document, "here.json")
    assert str(told.value) == (
        "here.json: expected a stored verdict, got something else. Use --fresh to decide it again."
    )


def test_a_decision_is_read_and_not_made_again(tmp_path):
    asked = []

    def evidence(config, seeds):
        asked.append((config, tuple(seeds)))
        return part(HOLDS)

    claim = fl.Statement(
        id="my.claim", title="", kind=fl.Kind.IDENTITY, config=Sizes(), evidence=evidence, seeds=2
    )
    first = check(claim, out=tmp_path / "store")
    again = check(claim, out=tmp_path / "store")
    assert len(asked) == 1
    assert (first.status, again.status) == ("computed", "read")
    assert dataclasses.replace(again, status="computed") == first
    check(claim, out=tmp_path / "store", fresh=True)
    check(claim, out=tmp_path / "store", seeds=3)
    check(claim, out=tmp_path / "store", eta=1)
    check(claim, out=tmp_path / "store", eta=1.0)
    assert [(config.eta, len(seeds)) for config, seeds in asked] == [
        (0.5, 2),
        (0.5, 2),
        (0.5, 3),
        (1, 2),
    ]


@pytest.mark.parametrize("damage", ["truncated", "changed", "emptied"])
def test_a_damaged_decision_is_refused_and_fresh_repairs_it(damage, tmp_path):
    claim, store = statement(part(HOLDS)), tmp_path / "store"
    check(claim, out=store)
    (file,) = store.rglob("seeds-0-4.json")
    whole = file.read_text()
    file.write_text(
        {
            "truncated": whole[: len(whole) // 2],
            "changed": whole.replace("HOLDS", "FAILS"),
            "emptied": "",
        }[damage]
    )
    damaged = file.read_text()
    with pytest.raises(fl.InputError) as told:
        check(claim, out=store)
    expected = {
        "changed": "the contents its checksum tells, got other contents. "
        "Use --fresh to decide it again.",
    }.get(damage, "a whole JSON file, got JSONDecodeError. Use --fresh or another --out.")
    assert str(told.value) == f"{file}: expected {expected}"
    assert file.read_text() == damaged
    assert check(claim, out=store, fresh=True).verdict is HOLDS
    assert check(claim, out=store).status == "read"
