"""What the commands print: one JSON document and nothing else, or text for people."""

import json
import math
from pathlib import Path

import pytest

from featlearn.cli.main import main

TOY = ["--d", "4", "--width", "4", "--steps", "2", "--records", "2", "--test", "10"]


def printed(capsys, *tokens, code=0):
    """The document that a command prints, and nothing else on stdout; numbers are finite."""

    def refuse(text):
        raise AssertionError(f"{text} is not JSON")

    assert main([*tokens, "--json"]) == code
    told = capsys.readouterr()
    assert told.err == ""
    return json.loads(told.out, parse_constant=refuse)


def test_run_prints_its_document(capsys):
    document = printed(capsys, "run", "glasgow2023.xor", *TOY, "--seeds", "2")
    assert list(document) == [
        *("version", "schema", "seconds"),
        *("id", "config", "hash", "status", "seeds", "summary", "diverged", "out"),
    ]
    assert (document["id"], document["status"]) == ("glasgow2023.xor", "computed")
    assert document["seeds"] == [0, 1]
    assert (document["config"]["d"], document["config"]["theta"]) == (4, 0.3)
    assert Path(document["out"]).parent.name == document["hash"]
    assert {"test_accuracy", "test_loss", "phase_1_end", "phase_2_end"} <= set(document["summary"])
    for told in document["summary"].values():
        assert list(told) == ["mean", "stderr", "values", "reached"]
        known = [value for value in told["values"] if value is not None]
        assert told["reached"] == len(known)
        assert told["mean"] == (sum(known) / len(known) if known else None)
    never = document["summary"]["phase_2_end"]
    assert never == {"mean": None, "stderr": None, "values": [None, None], "reached": 0}
    again = printed(capsys, "run", "glasgow2023.xor", *TOY, "--seeds", "2")
    assert again["status"] == "read"
    assert again["summary"] == document["summary"]
    more = printed(capsys, "run", "glasgow2023.xor", *TOY, "--seeds", "3")
    assert more["status"] == "completed"
    loss = more["summary"]["test_loss"]
    assert loss["values"][:2] == document["summary"]["test_loss"]["values"]


def test_check_prints_its_document(capsys):
    document = printed(capsys, "check", "glasgow2023.theorem-B.5", "--d", "8,16", "--seeds", "2")
    assert list(document) == ["version", "schema", "seconds", "verdicts"]
    (told,) = document["verdicts"]
    assert {
        *("id", "kind", "verdict", "expected", "reason", "config", "readings", "parts"),
        *("constants", "measured", "stderr", "predicted", "seeds"),
    } <= set(told)
    assert (told["verdict"], told["kind"], told["seeds"]) == ("HOLDS", "bound", 2)
    assert told["expected"] is None  # recorded for the default sizes only
    assert told["config"]["d"] == [8, 16]
    assert len(told["parts"]) == 1
    for part in told["parts"]:
        assert {"name", "relation", "measured", "stderr", "ci", "predicted", "verdict"} <= set(part)


def test_papers_prints_its_document(capsys):
    document = printed(capsys, "papers")
    assert list(document) == ["version", "schema", "seconds", "papers"]
    papers = {paper["id"]: paper for paper in document["papers"]}
    glasgow = papers["glasgow2023"]
    assert list(glasgow) == ["id", "title", "experiments", "statements", "items"]
    assert "glasgow2023.xor" in glasgow["experiments"]
    assert "glasgow2023.lemma-C.4" in glasgow["statements"]


def test_papers_lists_those_that_are_asked_for(capsys):
    document = printed(capsys, "papers", "frei2022")
    assert [paper["id"] for paper in document["papers"]] == ["frei2022"]
    assert main(["papers", "frei2022", "xu2023"]) == 0
    told = capsys.readouterr().out
    assert "xu2023.theorem-3.1" in told
    assert "glasgow2023" not in told
    assert main(["papers", "frei"]) == 2


def test_cite_prints_what_was_used(capsys):
    assert main(["cite", "glasgow2023.xor"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("@")
    assert "glasgow2023" in told
    assert told.count("@") == 2  # and featlearn itself
    cited = printed(capsys, "cite", "glasgow2023.lemma-C.4")["references"]
    assert set(cited) == {"glasgow2023", "featlearn"}


USER = '''
from dataclasses import dataclass
import featlearn as fl

@dataclass(frozen=True, kw_only=True)
class Sizes:
    k: int = 1
    """A number."""
    limit: float = float("inf")

def evidence(sizes, lab):
    return fl.identity("k [of it]", float(sizes.k), 1.0, tolerance=0.1)

CLAIM = fl.Statement(id="my.claim", config=Sizes(), evidence=evidence, seeds=1)
OTHER = fl.Statement(id="my.other", config=Sizes(k=2), evidence=evidence, seeds=1)
'''


def test_a_statement_of_ones_own_gives_the_exit_code(tmp_path, capsys):
    (tmp_path / "mine.py").write_text(USER)
    assert main(["check", "mine.py:CLAIM"]) == 0
    assert main(["check", "mine.py:CLAIM", "--k", "2"]) == 1
    assert main(["check", "mine.py:CLAIM", "mine.py:OTHER"]) == 1
    told = capsys.readouterr().out
    assert "k [of it]: 2 = 1" in told
    document = printed(capsys, "check", "mine.py:CLAIM", "--fresh")
    assert document["verdicts"][0]["config"] == {"k": 1, "limit": None}


def test_a_statement_of_ones_own_is_decided_again_when_its_file_changes(tmp_path, capsys):
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "mine.py").write_text(USER)
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "mine.py").write_text(USER.replace("1.0, tol", "3.0, tol"))
    assert main(["check", "one/mine.py:CLAIM"]) == 0
    assert main(["check", "two/mine.py:CLAIM"]) == 1
    assert main(["check", "one/mine.py:CLAIM"]) == 0
    assert "1 read from the store (--fresh decides again)" in capsys.readouterr().out


def test_an_unexpected_verdict_is_exit_code_one(monkeypatch, capsys):
    import featlearn.reproduction.catalogue as catalogue
    from featlearn.papers.glasgow2023.statements import lemma_c_4

    small = lemma_c_4.Sizes(d=(4,))
    quick = type(lemma_c_4.STATEMENT)(**{**vars(lemma_c_4.STATEMENT), "config": small})
    monkeypatch.setattr(lemma_c_4, "STATEMENT", quick)
    assert main(["check", "glasgow2023.lemma-C.4"]) == 0
    assert "expected" not in capsys.readouterr().out
    monkeypatch.setattr(catalogue, "expected_verdicts", lambda identity: {"printed": "HOLDS"})
    assert main(["check", "glasgow2023.lemma-C.4"]) == 1
    assert "expected HOLDS" in capsys.readouterr().out


def test_the_summary_for_people_names_both_ends_of_phases_and_the_folder(capsys):
    assert main(["run", "glasgow2023.xor", *TOY, "--seeds", "1", "--out", "here"]) == 0
    told = capsys.readouterr()
    for word in ("test_accuracy", "phase_1_end", "phase_2_end", "0 of 1", "computed in", "here/"):
        assert word in told.out
    assert told.err == ""


@pytest.mark.parametrize("name", ["command", "xla_flags"])
def test_provenance_names_no_folder_of_this_machine(name, tmp_path, monkeypatch, capsys):
    out = tmp_path / "far" / "away"
    line = ["run", "glasgow2023.xor", *TOY, "--seeds", "1", "--out", str(out)]
    monkeypatch.setattr("sys.argv", [str(tmp_path / "bin" / "featlearn"), *line])
    assert main() == 0
    (file,) = out.rglob("about.json")
    about = json.loads(file.read_text())["provenance"]
    assert about["command"] == "featlearn " + " ".join(line[:-1]) + " away"
    assert str(tmp_path) not in file.read_text()
    assert math.isfinite(len(about[name]))
