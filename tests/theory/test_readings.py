"""Readings: hidden constants leave print open, the proof's numbers decide scope, the run's hold."""

from dataclasses import dataclass
from typing import Any

import pytest

import featlearn as fl
from featlearn.theory import Role, Unknown
from featlearn.theory.check import check, to_document
from featlearn.theory.hypotheses import Hypothesis, window
from featlearn.theory.readings import interval

HOLDS, FAILS, OPEN = fl.Verdict.HOLDS, fl.Verdict.FAILS, fl.Verdict.OPEN
OUT, VACUOUS = fl.Verdict.OUT_OF_SCOPE, fl.Verdict.VACUOUS
PRINTED, PROOF = fl.Reading.PRINTED, fl.Reading.PROOF
CORRECTED, RUN = fl.Reading.CORRECTED, fl.Reading.RUN


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """A configuration."""

    d: int = 100
    """Inputs."""
    m: int = 400
    """Samples."""


def known(verdict, *readings, name="x"):
    """A claim that holds or fails exactly."""
    claim = fl.exact_bound(name, 0.5, 1.0 if verdict is HOLDS else 0.1)
    return claim.under(*readings) if readings else claim


def samples(config):
    """m >= C d."""
    return [Hypothesis(name="m >= C d", value=config.m, side=">=", limit=config.d, constant="C")]


def hidden(**values):
    return Unknown(symbol="C", role=Role.HYPOTHESIS, weaker="up", **values)


def judged(*claims, constants=(), corrected="", hypotheses=lambda config: (), **more):
    statement = fl.Statement(
        id="my.claim",
        config=Sizes(),
        evidence=lambda config, lab: list(claims),
        hypotheses=hypotheses,
        text=fl.Text(printed="x", corrected=corrected, constants=tuple(constants)),
        **more,
    )
    return check(statement)


def found(judgement):
    return {name.upper(): verdict for name, verdict in judgement.verdicts.items()}


def test_without_hidden_constants_the_print_is_all_there_is():
    assert found(judged(known(HOLDS))) == {"PRINTED": "HOLDS"}
    assert found(judged(known(FAILS))) == {"PRINTED": "FAILS"}
    assert found(judged(known(HOLDS), constants=[hidden(printed=2.0)])) == {"PRINTED": "HOLDS"}


@pytest.mark.parametrize("verdict", [HOLDS, FAILS])
def test_a_hidden_constant_leaves_the_print_open_whatever_is_measured(verdict):
    judgement = judged(known(verdict), constants=[hidden(run=1.0)])
    assert found(judgement) == {"PRINTED": "OPEN", "RUN": verdict.name}
    assert (judgement.verdict, judgement.reading) == (verdict, RUN)


def test_a_part_about_the_print_itself_refutes_it_where_no_constant_helps():
    judgement = judged(known(FAILS, PRINTED), known(HOLDS, RUN), constants=[hidden(run=1.0)])
    assert found(judgement) == {"PRINTED": "FAILS", "RUN": "HOLDS"}
    upheld = judged(known(HOLDS, PRINTED), known(HOLDS, RUN), constants=[hidden(run=1.0)])
    assert found(upheld) == {"PRINTED": "OPEN", "RUN": "HOLDS"}


def test_a_slip_fails_as_printed_and_holds_as_corrected():
    judgement = judged(known(FAILS, PRINTED), known(HOLDS, CORRECTED), known(HOLDS), corrected="y")
    assert found(judgement) == {"PRINTED": "FAILS", "CORRECTED": "HOLDS"}
    assert judgement.reading is PRINTED


@pytest.mark.parametrize(
    ("proof", "verdicts"),
    [
        (4.0, {"PRINTED": "OPEN", "PROOF": "HOLDS", "RUN": "HOLDS"}),
        (8.0, {"PRINTED": "OPEN", "PROOF": "OUT_OF_SCOPE", "RUN": "HOLDS"}),
    ],
)
def test_the_proofs_number_decides_the_scope_of_the_proof_alone(proof, verdicts):
    judgement = judged(known(HOLDS), constants=[hidden(proof=proof, run=1.0)], hypotheses=samples)
    assert found(judgement) == verdicts


def test_what_holds_outside_the_proofs_scope_is_beyond_the_theorem():
    judgement = judged(known(HOLDS), constants=[hidden(proof=8.0, run=1.0)], hypotheses=samples)
    printed, proof, run = judgement.readings
    assert printed.reason == "Not printed: C; the data would need C <= 4."
    assert proof.reason == (
        "Assumptions that fail here: m >= C d (400 >= 800 with C = 8, missed by a factor 2). "
        "The nearest setting that would do: d = 50."
    )
    assert run.reason.startswith("Beyond the theorem: ")


def test_hypotheses_that_share_a_constant_are_solved_together():
    def both(config):
        low = Hypothesis(
            name="1 >= 20/C", value=1, side=">=", limit=20, constant="C", power=-1
        )  # C >= 20
        return [*samples(config), low]

    judgement = judged(known(HOLDS), constants=[hidden()], hypotheses=both)
    assert found(judgement) == {"PRINTED": "OUT_OF_SCOPE"}
    assert "m >= C d (C <= 4, and another asks for C >= 20: a factor 5)" in judgement.reason
    assert window(tuple(both(Sizes())), "C") == (20.0, 4.0)
    assert window(tuple(both(Sizes(m=4000))), "C") == (20.0, 40.0)


def test_a_hypothesis_of_the_proof_alone_is_asked_for_in_no_other_reading():
    def only(config):
        return [
            Hypothesis(name="d >= 10^6", value=config.d, side=">=", limit=1e6, readings=(PROOF,))
        ]

    assert found(judged(known(HOLDS), hypotheses=only)) == {
        "PRINTED": "HOLDS",
        "PROOF": "OUT_OF_SCOPE",
    }


def test_a_condition_without_size_is_met_or_not():
    judgement = judged(
        known(HOLDS),
        hypotheses=lambda config: [Hypothesis.condition("one layer is trained", False)],
    )
    assert judgement.verdict is OUT
    assert judgement.reason.endswith("No setting of these fields would do.")


def test_a_definition_has_no_verdict_in_any_reading():
    judgement = judged(known(HOLDS), constants=[hidden(run=1.0)], kind=fl.Kind.DEFINITION)
    assert found(judgement) == {"PRINTED": None, "RUN": None}


@pytest.mark.parametrize("verdict", [HOLDS, FAILS])
@pytest.mark.parametrize("kind", list(fl.Kind))
def test_a_kind_judges_no_part_and_two_kinds_change_what_the_parts_add_up_to(kind, verdict):
    judgement = judged(known(verdict), kind=kind)
    assert [part.verdict for part in judgement.parts] == [verdict]
    whole = {
        (fl.Kind.DEFINITION, HOLDS): None,
        (fl.Kind.DEFINITION, FAILS): None,
        (fl.Kind.ALL_ALGORITHMS, HOLDS): fl.Verdict.UNDECIDED,
    }
    assert judgement.verdict is whole.get((kind, verdict), verdict)
    unmet = judged(known(verdict), kind=kind, constants=[hidden(printed=8.0)], hypotheses=samples)
    assert unmet.verdict is OUT


def test_a_part_that_holds_beside_vacuous_ones_says_so():
    empty = fl.exact_bound("y", 0.5, 2.0, vacuous="no share is above 1")
    assert judged(known(HOLDS), empty).verdict is HOLDS
    assert "nothing could contradict the others here: y" in judged(known(HOLDS), empty).reason
    assert judged(empty).verdict is VACUOUS


def test_the_document_has_texts_readings_and_strength():
    document: Any = to_document(
        judged(known(HOLDS), constants=[hidden(proof=8.0, run=1.0)], hypotheses=samples)
    )
    assert document["readings"]["proof"]["assumptions"][0]["factor"] == 2.0
    assert document["text"]["constants"][0]["compared"] == "stronger"
    (part,) = document["parts"]
    assert part["strength"]["sharpness"] == 2.0
    assert (part["strength"]["sharp"], part["strength"]["grade"]) == ("tight", "computed")


def test_tags_survive_the_store(tmp_path):
    statement = fl.Statement(
        id="my.claim",
        config=Sizes(),
        evidence=lambda config, lab: [known(FAILS, PRINTED), known(HOLDS, CORRECTED)],
        text=fl.Text(printed="x", corrected="y"),
    )
    first, again = (check(statement, out=tmp_path / "store") for _ in range(2))
    assert (first.status, again.status) == ("computed", "read")
    assert first.verdicts == again.verdicts == {"printed": "FAILS", "corrected": "HOLDS"}


@pytest.mark.parametrize(
    ("weaker", "proof", "run", "word"),
    [
        ("up", 150.0, 1.0, "stronger"),
        ("up", 1.0, 150.0, "weaker"),
        ("down", 150.0, 1.0, "weaker"),
        ("down", 1.0, 150.0, "stronger"),
        ("up", 2.0, 2.0, "equal"),
        ("up", None, 2.0, "incomparable"),
        ("up", "n^{-1}", 2.0, "incomparable"),
    ],
)
def test_a_constant_that_is_run_is_compared_with_the_proofs(weaker, proof, run, word):
    constant = Unknown(symbol="C", role=Role.CONCLUSION, weaker=weaker, proof=proof, run=run)
    assert constant.compared() == word


@pytest.mark.parametrize(
    ("side", "power", "ends"),
    [(">=", 1.0, "<= 4"), (">=", -1.0, ">= 0.25"), ("<=", 1.0, ">= 4"), ("<=", -2.0, "<= 0.5")],
)
def test_the_interval_of_a_constant_is_where_the_hypothesis_is_met(side, power, ends):
    each = Hypothesis(name="h", value=400, side=side, limit=100, constant="C", power=power)
    assert interval(each.allowed) == ends
    low, high = each.allowed
    inside = high / 1.01 if low == 0 else low * 1.01
    outside = high * 1.01 if low == 0 else low / 1.01
    assert each.met(inside)
    assert not each.met(outside)
