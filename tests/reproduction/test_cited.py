"""`featlearn cite` of a statement: all that a citation of a verdict has to name."""

import json
import re

import pytest

from featlearn.cli.main import main

ID = "daniely2020.lemma-3"


def test_a_statement_is_cited_with_its_text_constants_settings_and_version(capsys):
    assert main(["cite", ID]) == 0
    told = capsys.readouterr().out
    head, _, bibtex = told.partition("\n\n")
    lines = head.splitlines()
    assert all(line.startswith("% ") for line in lines)
    assert lines[0].startswith(f"% {ID}")
    for word in ("printed: ", "settings: ", "evidence: "):
        assert any(line.startswith(f"% {word}") for line in lines)
    assert any(line.endswith("(not in this store)") for line in lines)
    assert re.fullmatch(r"% featlearn \S+", lines[-1])
    assert bibtex.startswith("@")
    assert "@" not in head


@pytest.mark.parametrize("stored", [False, True])
def test_the_document_has_the_verdict_of_each_reading_and_the_address_of_the_evidence(
    capsys, stored
):
    if stored:
        main(["check", ID, "--out", "results"])
    capsys.readouterr()
    assert main(["cite", ID, "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["statements"]
    assert told["stored"] is stored
    assert told["evidence"].startswith(f"{ID}/")
    assert told["readings"]["printed"]["verdict"]
    assert (told["readings"]["printed"]["reason"] == "recorded") is not stored


def test_constants_are_cited_with_their_roles_and_values(capsys):
    assert main(["cite", "glasgow2023.lemma-4.1", "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["statements"]
    assert told["constants"]
    assert all({"symbol", "role", "printed", "proof", "run"} <= set(c) for c in told["constants"])
