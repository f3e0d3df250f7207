"""From claims to a verdict; evidence is stored, verdicts are not."""

import dataclasses
import inspect
import json
import math
import zipfile
from dataclasses import dataclass

import numpy as np
import pytest

import featlearn as fl
from featlearn.theory import claim as claims
from featlearn.theory.check import check, to_document
from featlearn.theory.verdict import FittedConstant, Trend, combine

HOLDS, FAILS = fl.Verdict.HOLDS, fl.Verdict.FAILS
OUT, UNDECIDED = fl.Verdict.OUT_OF_SCOPE, fl.Verdict.UNDECIDED
VACUOUS = fl.Verdict.VACUOUS


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """A configuration."""

    d: int = 3
    """Input dimension."""
    eta: float = 0.5
    """Step size."""


CLAIMS = {
    HOLDS: lambda name: fl.identity(name, 1.0, 1.0, tolerance=0.1),
    FAILS: lambda name: fl.identity(name, 1.0, 2.0, tolerance=0.1),
    UNDECIDED: lambda name: fl.bound(name, np.array([1.0]), 2.0),
    VACUOUS: lambda name: fl.bound(name, np.array([1.0, 1.1]), 2.0, vacuous=True),
    None: lambda name: fl.reported(name, 1.0),
}


def claim(verdict, name="p"):
    """A claim that is judged so."""
    made = CLAIMS[verdict](name)
    assert made.verdict is verdict
    return made


def measured(config, lab, *, verdicts):
    return [claim(verdict, f"p{place}") for place, verdict in enumerate(verdicts)]


def statement(*verdicts, kind=fl.Kind.IDENTITY, **more):
    return fl.Statement(
        id="my.claim",
        title="A claim",
        kind=kind,
        config=Sizes(),
        evidence=lambda config, lab: measured(config, lab, verdicts=verdicts),
        **more,
    )


@pytest.mark.parametrize(
    ("verdicts", "verdict"),
    [
        ([HOLDS], HOLDS),
        ([HOLDS, HOLDS], HOLDS),
        ([HOLDS, FAILS, UNDECIDED], FAILS),
        ([HOLDS, UNDECIDED, VACUOUS], UNDECIDED),
        ([HOLDS, VACUOUS], HOLDS),
        ([VACUOUS, VACUOUS], VACUOUS),
        ([None, HOLDS], HOLDS),
        ([None, FAILS], FAILS),
        ([None], None),
    ],
)
def test_a_statement_is_as_good_as_its_worst_part(verdicts, verdict):
    assert check(statement(*verdicts)).verdict is verdict


def test_a_broken_assumption_puts_the_statement_out_of_scope_and_measures_all_the_same():
    def hypotheses(config):
        return [
            fl.Hypothesis(name="d is large", value=config.d, side=">=", limit=100),
            fl.Hypothesis(name="eta is small", value=config.eta, side="<=", limit=0.1),
        ]

    judged = check(statement(FAILS, hypotheses=hypotheses))
    assert (judged.verdict, len(judged.parts)) == (OUT, 1)
    assert judged.reason == (
        "Assumptions that fail here: d is large (3 >= 100, missed by a factor 33.3); "
        "eta is small (0.5 <= 0.1, missed by a factor 5). "
        "The nearest setting that would do: d = 100, eta = 0.1."
    )


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
    assert check(statement(given, kind=kind)).verdict is verdict


def test_a_statement_that_measures_nothing_is_refused():
    with pytest.raises(fl.InputError) as told:
        check(statement())
    assert str(told.value) == ("my.claim: expected evidence of at least one claim, got none.")


def test_a_verdict_that_a_statement_brings_itself_is_refused():
    own = fl.Part(name="p", relation="=", measured=1.0, predicted=1.0, verdict=HOLDS)
    judged = fl.Statement(
        id="my.claim",
        config=Sizes(),
        evidence=lambda config, lab: [own],  # type: ignore[list-item]
    )
    with pytest.raises(fl.InputError) as told:
        check(judged)
    assert str(told.value) == (
        "my.claim: expected claims, got Part. Use a judge such as fl.bound, or fl.reported for a "
        "number that claims nothing."
    )


def divide(config, lab):
    return fl.reported("a share", 1 / (config.d - config.d))


def too_few(config, lab):
    return fl.bound("x", 1.0, 2.0)  # type: ignore[arg-type]


def in_a_library(config, lab):
    return fl.bound("x", np.zeros((2, 3)) @ np.zeros(2), 1.0)


@pytest.mark.parametrize(
    ("evidence", "told"),
    [
        (
            divide,
            "expected evidence that can be measured, got ZeroDivisionError: division by zero.",
        ),
        (too_few, "bound(values): expected an array over seeds, got 1.0."),
        (in_a_library, "expected evidence that can be measured, got ValueError: matmul: "),
    ],
)
def test_a_mistake_in_evidence_is_told_with_the_line_of_the_users_file(evidence, told):
    judged = fl.Statement(id="my.claim", config=Sizes(), evidence=evidence)
    line = inspect.getsourcelines(evidence)[1] + 1
    with pytest.raises(fl.InputError) as said:
        check(judged)
    assert str(said.value).startswith(f"my.claim (test_statement.py:{line}): {told}")


def test_the_number_of_parts_that_hold_leaves_out_those_that_claim_nothing():
    reason = combine((), tuple(claim(v).part for v in (HOLDS, None, HOLDS)))[1]
    assert reason == "All 2 parts hold."


def test_a_judgement_reads_as_text():
    judged = check(statement(FAILS))
    why = "largest relative deviation 0.5 in 1 case, allowed 0.1"
    assert str(judged) == f"my.claim (printed): FAILS. p0: {why}\n  FAILS        p0: 1 = 2 ({why})"


def test_a_judgement_is_plain_json():
    constants = {"C": FittedConstant(value=math.inf, ci=(1.0, math.inf))}
    judged = dataclasses.replace(
        check(statement(UNDECIDED, None)),
        constants=constants,
        trends=(
            Trend(name="T", over="d", x=(1.0, 2.0), measured=(3.0, math.nan), predicted=(5.0,)),
        ),
    )
    document = json.loads(json.dumps(to_document(judged), allow_nan=False))
    assert document["constants"] == {"C": {"value": None, "ci": [1.0, None]}}
    assert document["trends"][0]["measured"] == [3.0, None]
    assert [part["verdict"] for part in document["parts"]] == ["UNDECIDED", None]


ASKED: list[tuple[float, int]] = []


def counted(config, lab):
    """Evidence that counts how often it is measured."""
    ASKED.append((config.eta, len(lab.seeds)))
    return claim(HOLDS)


def test_evidence_is_read_and_not_measured_again(tmp_path):
    ASKED.clear()
    mine = fl.Statement(id="my.claim", config=Sizes(), evidence=counted, seeds=2)
    first = check(mine, out=tmp_path / "store")
    again = check(mine, out=tmp_path / "store")
    assert len(ASKED) == 1
    assert (first.status, again.status) == ("computed", "read")
    assert dataclasses.replace(again, status="computed") == first
    check(mine, out=tmp_path / "store", fresh=True)
    check(mine, out=tmp_path / "store", seeds=3)
    check(mine, out=tmp_path / "store", eta=1)
    check(mine, out=tmp_path / "store", eta=1.0)
    assert ASKED == [(0.5, 2), (0.5, 2), (0.5, 3), (1, 2)]


def test_what_the_evidence_closes_over_counts(tmp_path):
    """The same id and sizes with another claim inside is another entry."""
    store = tmp_path / "store"
    assert check(statement(HOLDS), out=store).verdict is HOLDS
    assert check(statement(FAILS), out=store).verdict is FAILS
    assert check(statement(HOLDS), out=store).status == "read"


def test_a_judge_is_asked_anew_of_stored_evidence(tmp_path, monkeypatch):
    """Evidence that is stored has no verdict: another judge decides otherwise."""
    store = tmp_path / "store"
    assert check(statement(HOLDS), out=store).verdict is HOLDS
    failed = claim(FAILS).part
    monkeypatch.setitem(claims._judges, "identity", lambda **given: failed)
    again = check(statement(HOLDS), out=store)
    assert (again.status, again.verdict) == ("read", FAILS)
    assert not [file for file in store.rglob("seeds-*/*") if b"HOLDS" in unpacked(file)]


def unpacked(file):
    """The bytes of a file, of an archive those of its members."""
    if file.suffix != ".npz":
        return file.read_bytes()
    with zipfile.ZipFile(file) as archive:
        return b"".join(archive.read(name) for name in archive.namelist())


def test_a_constant_that_a_judge_fits_is_that_of_its_trend():
    d = np.array([10.0, 20.0, 40.0, 80.0])
    values = 3 * d[:, None] * np.array([0.99, 1.0, 1.01])

    def evidence(config, lab):
        return fl.Evidence(
            parts=(fl.hidden_constant("x", d, values, d, constant="C of x"),),
            trends=(fl.trend("x", "d", d, values, d, constant="C of x"),),
        )

    judged = check(fl.Statement(id="my.claim", config=Sizes(), evidence=evidence))
    value = judged.constants["C of x"].value
    assert value == pytest.approx(3.0, rel=0.15)  # t of two
    assert judged.trends[0].predicted == pytest.approx(tuple(value * d))


@pytest.mark.parametrize("damage", ["truncated", "changed", "emptied"])
def test_damaged_evidence_is_refused_and_fresh_repairs_it(damage, tmp_path):
    mine, store = statement(HOLDS), tmp_path / "store"
    check(mine, out=store)
    (file,) = store.rglob("seeds-0-4/data.npz")
    whole = file.read_bytes()
    changed = whole[:50] + bytes([whole[50] ^ 1]) + whole[51:]
    file.write_bytes(
        {"truncated": whole[: len(whole) // 2], "changed": changed, "emptied": b""}[damage]
    )
    damaged = file.read_bytes()
    with pytest.raises(fl.InputError) as told:
        check(mine, out=store)
    assert str(told.value) == (
        f"{file}: expected the contents its manifest lists, got other contents. "
        "Use --fresh to compute it again."
    )
    assert file.read_bytes() == damaged
    assert check(mine, out=store, fresh=True).verdict is HOLDS
    assert check(mine, out=store).status == "read"
