"""The README's table of verdicts is what the papers have recorded."""

import re
from collections import Counter
from pathlib import Path

import pytest

from featlearn.reproduction.catalogue import papers

README = Path(__file__).parents[2] / "README.md"
READINGS = ("printed", "corrected", "proof", "run")
WORDS = {
    "HOLDS": "hold",
    "FAILS": "fail",
    "OPEN": "open",
    "OUT_OF_SCOPE": "out of scope",
    "UNDECIDED": "undecided",
    "VACUOUS": "vacuous",
}


def row(paper: str) -> str:
    """The row of a paper, from its recorded verdicts."""
    recorded = papers()[paper].expected()["verdicts"]
    cells = []
    for reading in READINGS:
        found = Counter((each or {}).get(reading) for each in recorded.values())
        told = [f"{found[word]} {name}" for word, name in WORDS.items() if found[word]]
        cells.append(", ".join(told) or "–")
    return f"| `{paper}` | {len(recorded)} | {' | '.join(cells)} |"


@pytest.mark.parametrize("paper", list(papers()))
def test_the_counts_of_a_paper_are_those_recorded(paper):
    rows = re.findall(rf"^\| `{paper}` \| \d+ \|.*$", README.read_text(), flags=re.MULTILINE)
    assert rows == [row(paper)]


def test_the_article_counts_all_statements_and_papers():
    recorded = [paper.expected()["verdicts"] for paper in papers().values()]
    article = (README.parent / "paper.md").read_text()
    assert f"with {sum(map(len, recorded))} statements" in article
    assert re.search(r"^Seven papers are in it", article, flags=re.MULTILINE)
    assert len(recorded) == 7
