"""What rests on what: the arrows of the proofs, and how a statement stands with all of them."""

import pytest

from featlearn._check import InputError
from featlearn.reproduction.catalogue import papers
from featlearn.reproduction.proofs import Node, ProofGraph, Standing, find, proofs
from featlearn.theory.verdict import Kind


def node(name: str, verdict: str | None, *uses: str, kind: Kind | None = Kind.BOUND) -> Node:
    verdicts = {"printed": verdict} if kind else {}
    return Node(name=name, title="", kind=kind, verdicts=verdicts, uses=uses)


def graph(*nodes: Node) -> ProofGraph:
    return ProofGraph(paper="toy", nodes={each.name: each for each in nodes})


CHAIN = graph(
    node("theorem", "HOLDS", "lemma", "definition"),
    node("lemma", "HOLDS", "step"),
    node("definition", None, kind=Kind.DEFINITION),
    node("step", None, kind=None),
    node("alone", "HOLDS", "definition"),
    node("wrong", "FAILS"),
    node("hasty", "HOLDS", "wrong"),
)


def test_what_holds_on_firm_ground_is_told_apart():
    assert CHAIN.standing("alone") is Standing.FIRM
    assert CHAIN.standing("theorem") is Standing.HOLDS, "a step below is not checked"
    assert CHAIN.standing("hasty") is Standing.HOLDS, "what it rests on fails"
    assert CHAIN.standing("wrong") is Standing.FAILS
    assert CHAIN.standing("step") is Standing.STEP
    assert CHAIN.standing("definition") is Standing.NONE


def test_a_part_of_the_graph_keeps_the_standings_of_the_whole():
    part = CHAIN.around("definition")
    assert set(part.nodes) == {"definition", "theorem", "alone"}
    assert part.nodes["theorem"].uses == ("definition",)
    assert part.standing("theorem") is Standing.HOLDS, "its lemma is not in the part, and counts"


def test_below_and_above_are_all_the_way():
    assert CHAIN.below("theorem") == {"lemma", "definition", "step"}
    assert CHAIN.above("step") == {"lemma", "theorem"}


def test_a_reading_that_a_statement_lacks_is_its_correction_or_its_print():
    both = Node(
        name="x",
        title="",
        kind=Kind.BOUND,
        verdicts={"printed": "FAILS", "corrected": "HOLDS"},
        uses=(),
    )
    assert both.verdict() == "FAILS"
    assert both.verdict("run") == both.verdict("corrected") == "HOLDS"
    assert both.verdict("printed") == "FAILS"


def test_every_paper_has_its_graph_and_every_arrow_an_end():
    for paper in papers().values():
        found = proofs(paper)
        assert set(paper.statements) <= set(found.nodes)
        for each in found.nodes.values():
            assert set(each.uses) <= set(found.nodes), each.name
    steps = [n for n, each in proofs(papers()["glasgow2023"]).nodes.items() if each.kind is None]
    assert "lemma-C.17" in steps


def test_what_is_not_there_is_refused_in_a_sentence():
    with pytest.raises(InputError, match="expected a paper, or a statement of one, got 'glasgow'"):
        find("glasgow")
    with pytest.raises(InputError, match=r"Did you mean lemma-C\.4"):
        find("glasgow2023.lemma-C4")
