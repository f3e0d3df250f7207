"""The map of a paper: every number has a statement that checks it, or a reason."""

import re
from pathlib import Path

import pytest

from featlearn._check import InputError
from featlearn.reproduction.catalogue import papers, statement_titles
from featlearn.reproduction.numbered import Covered, numbered, table
from featlearn.reproduction.proofs import proofs

PAGES = Path(__file__).parents[2] / "docs" / "papers"
MAPPED = ("glasgow2023", "shi2022")


def whole(prefix, last):
    return {f"{prefix}{i}" for i in range(1, last + 1)}


NUMBERS = {
    "shi2022": whole("", 49),
    "glasgow2023": {
        *("2.1", "3.1", "4.1", "4.2", "4.3", "4.4", "E.1"),
        *whole("B.", 13),
        *whole("C.", 18),
        *whole("D.", 16),
        *whole("F.", 2),
    },
}


def number(name):
    return name.partition("-")[2]


@pytest.mark.parametrize("name", MAPPED)
def test_every_number_of_the_paper_is_checked_or_has_a_reason(name):
    paper = papers()[name]
    rows = [each for row in numbered(paper) for each in row.numbers]
    assert len(rows) == len(set(rows))
    assert not set(rows) & set(paper.statements), "a statement of that name is its own check"
    own = {number(each) for each in paper.statements if not each.startswith("equation")}
    assert own | {number(each) for each in rows} == NUMBERS[name]


@pytest.mark.parametrize("name", MAPPED)
def test_what_checks_a_number_is_a_statement(name):
    for row in numbered(papers()[name]):
        for each in row.by:
            assert (each if "2020." in each else f"{name}.{each}") in statement_titles()


@pytest.mark.parametrize("name", MAPPED)
def test_the_page_of_the_paper_has_the_map(name):
    assert "\n".join(table(numbered(papers()[name]))) in (PAGES / f"{name}.md").read_text()


def test_a_step_of_a_proof_has_its_reason_in_the_graph():
    graph = proofs(papers()["glasgow2023"])
    assert re.match("A1 and A2 are C.4", graph.nodes["lemma-C.17"].title)


def test_a_row_says_something():
    with pytest.raises(InputError, match="expected a statement or a reason, got neither"):
        Covered(numbers=("lemma-1",))


def test_a_paper_without_a_map_has_no_rows():
    assert numbered(papers()["barak2022"]) == ()
