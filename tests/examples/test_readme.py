"""What README tells a newcomer to type must exist."""

import re
from pathlib import Path

from featlearn.papers.catalogue import experiments, find_statements, item_titles, statement_titles

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def test_every_statement_of_a_file_that_it_names_is_there():
    named = re.findall(r"(examples/\w+\.py):(\w+)", README)
    assert named
    for path, name in named:
        assert find_statements(f"{ROOT / path}:{name}")


def test_every_id_that_it_names_is_known():
    known = {*experiments(), *statement_titles(), *item_titles()}
    named = set(
        re.findall(r"\b(?:glasgow2023|frei2022|daniely2020|shi2022)\.(?!md)[\w.-]*\w", README)
    )
    assert named
    assert named <= known
