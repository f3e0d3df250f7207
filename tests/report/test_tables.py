"""The ledger for a spreadsheet and for a paper."""

import csv
import io

from featlearn.report import tables
from tests.report.outcomes import ITEM, NASTY, OUTCOMES


def test_a_spreadsheet_gets_every_row_unrounded():
    rows = list(csv.DictReader(io.StringIO(tables.csv(OUTCOMES))))
    assert [row["status"] for row in rows] == ["agrees", "lower", "cannot tell"]
    assert rows[0] == {
        "item": "toy.item",
        "quantity": "q-agrees",
        "reading": "",
        "paper": "33.2",
        "ours": "35.5",
        "error": "0.5",
        "unit": "",
        "seeds": "4",
        "size": "full",
        "kind": "cell",
        "status": "agrees",
        "judged": "yes",
        "half": "",
        "cell": "",
        "group": "",
        "why": NASTY,
        "command": "",
    }
    assert rows[1]["paper"] == ""


def test_latex_gets_two_tables_with_every_letter_escaped():
    text = tables.latex(OUTCOMES)
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 2
    assert r"q-agrees &  & 33.2 & 35.5 \ensuremath{\pm} 0.5 & agrees \\" in text
    assert r"toy.OUT\_OF\_SCOPE & Statement OUT\_OF\_SCOPE " in text
    assert r"100 \% of w\_sig" in text
    rows = [line for line in text.split("\n") if line.endswith(r"\\")]
    assert {row.replace(r"\&", "").count("&") for row in rows} == {4, 2}


def test_only_the_tables_that_have_rows_are_printed():
    assert tables.latex([ITEM]).count(r"\begin{tabular}") == 1
