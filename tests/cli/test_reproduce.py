"""`featlearn reproduce` and `featlearn report`, as a user calls them, at toy size."""

import csv
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from featlearn._check import MissingResource
from featlearn.cli.main import main
from featlearn.papers.glasgow2023.items import xor
from featlearn.papers.glasgow2023.xor import Xor
from featlearn.reproduction.outcome import stored_item
from featlearn.reproduction.paper import Paper
from featlearn.reproduction.recorded import record
from featlearn.reproduction.reproduce import reproduce
from featlearn.results.ledger import Status
from featlearn.results.store import Store

TOY = {"seeds": 2, "d": 10, "width": 40, "steps": 12, "records": 6, "test": 50}
COMMAND = ["reproduce", "glasgow2023.xor", "--out", "store", "--report", "page/index.html"]


@pytest.fixture(scope="module")
def computed(tmp_path_factory) -> Path:
    """A store in which the item has been reproduced at toy size."""
    folder = tmp_path_factory.mktemp("reproduced") / "store"
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(xor.SIZES, "quick", TOY)
        (made,) = reproduce(["glasgow2023.xor"], size="quick", out=folder)
    assert made.status == "computed"
    return folder


@pytest.fixture(autouse=True)
def store(computed, monkeypatch):
    """A copy of it here; at toy size nothing is recorded of what should come out."""
    shutil.copytree(computed, "store")
    monkeypatch.setitem(xor.SIZES, "quick", TOY)
    monkeypatch.setattr(Paper, "expected", lambda self: {"verdicts": {}, "rows": {}})


def document(capsys) -> dict[str, Any]:
    told = capsys.readouterr()
    assert told.err == ""
    found: dict[str, Any] = json.loads(told.out)
    return found


def test_without_a_gpu_a_large_item_is_made_small_and_says_so(capsys, monkeypatch):
    monkeypatch.setattr(xor, "ITEM", replace(xor.ITEM, gpu=True))
    monkeypatch.setattr("featlearn.reproduction.reproduce.has_gpu", lambda: False)
    assert main([*COMMAND, "--size", "full"]) == 0
    told = "No GPU here: the quick size. On a machine with one: featlearn reproduce glasgow2023.xor"
    assert told in capsys.readouterr().out
    assert told in Path("page/index.html").read_text()


def test_the_document_has_ledger_verdicts_and_report(capsys):
    assert main([*COMMAND, "--json"]) == 0
    told = document(capsys)
    assert list(told) == [
        *("version", "schema", "seconds"),
        *("verdicts", "ledger", "failed", "skipped", "counts", "report"),
    ]
    assert (told["verdicts"], told["failed"], told["report"]) == ([], [], "page/index.html")
    assert len(told["ledger"]) == 6
    for row in told["ledger"]:
        assert list(row) == [
            *("item", "quantity", "kind", "paper", "rounding", "paper_sd", "paper_runs"),
            *("allowed", "resolve", "measured", "stderr", "half", "p_value", "unit", "seeds"),
            *("recipe", "size", "status", "alone", "cell", "group", "judged", "why", "command"),
            "expected",
        ]
        assert (row["item"], row["seeds"], row["size"]) == ("glasgow2023.xor", 2, "quick")
        assert row["status"] in [status.value for status in Status]
        assert row["command"] == "featlearn reproduce glasgow2023.xor --size quick"


def test_the_document_counts_verdicts_and_rows_in_all_and_by_paper(capsys):
    assert main([*COMMAND, "--json"]) == 0
    told = document(capsys)
    counts = told["counts"]["all"]
    assert told["counts"]["papers"] == {"glasgow2023": counts}
    # Two recipes stand for the end of phase 1: the mean square is judged, a tenth is not.
    one = [row for row in told["ledger"] if row["recipe"] != "a tenth at every centre"]
    for kind, of in (
        ("cells", "cell"),
        ("conclusions", "conclusion"),
        ("measurements", "measured"),
    ):
        found = [row["status"] for row in one if row["kind"] == of]
        assert counts[kind] == {status.value: found.count(status.value) for status in Status}
    assert sum(counts["cells"].values()) == 2
    assert set(counts["printed"].values()) == set(counts["ended"].values()) == {0}


def test_an_item_that_needs_what_is_absent_is_skipped_in_one_line(capsys, monkeypatch):
    def needs_torch(self):
        raise MissingResource("vision", "the extra `vision`", "no torch")

    monkeypatch.setattr(Xor, "experiment", needs_torch)
    sentence = "vision: expected the extra `vision`, got no torch."
    assert main([*COMMAND, "--fresh"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [f"glasgow2023.xor  skipped  {sentence}", "ended: 1 skipped"]
    assert sentence in Path("page/index.html").read_text()
    assert main([*COMMAND, "--fresh", "--json"]) == 0
    told = document(capsys)
    assert told["failed"] == []
    assert told["skipped"] == [{"id": "glasgow2023.xor", "error": sentence}]


def test_the_page_is_drawn_again_from_the_store_alone(capsys, monkeypatch):
    assert main([*COMMAND, "--json"]) == 0
    first, page = document(capsys), Path("page/index.html").read_text()

    def never(context):
        raise AssertionError("computed again")

    monkeypatch.setattr(Xor, "experiment", never)
    assert main(["report", "store", "--report", "other.html", "--json"]) == 0
    again = document(capsys)
    assert again["ledger"] == first["ledger"]
    assert Path("other.html").read_text() == page
    assert main([*COMMAND, "--json"]) == 0
    assert document(capsys)["ledger"] == first["ledger"]


def test_what_other_code_has_computed_is_left_out_of_the_page_with_a_sentence(capsys):
    (program,) = Path("store/glasgow2023.xor").glob("*/*/quick")
    shutil.copytree(program.parent.parent, "store/frei2022.figure-1/0123456789ab")
    runs = Path("store/glasgow2023.phase-times/0123456789ab/0123456789ab/seeds-0-1")
    shutil.copytree(program, runs)  # runs of that name are no outcome
    assert main(["report", "--out", "store", "--csv"]) == 0
    told = capsys.readouterr()
    sentence = "featlearn: left out, since their code or sizes are others: frei2022.figure-1\n"
    assert told.err == sentence
    shutil.rmtree("store/glasgow2023.xor")
    assert main(["report", "store"]) == 2
    assert capsys.readouterr().err.endswith("Try `featlearn reproduce frei2022.figure-1` first.\n")


def test_people_read_a_line_a_row(capsys):
    assert main(COMMAND) == 0
    told = capsys.readouterr()
    assert told.err == ""
    lines = told.out.splitlines()
    title = "Two phases: SGD finds the features of XOR, then tunes them"
    assert lines[0] == f"glasgow2023.xor  {title} (read)"
    assert len(lines) == 1 + 2 * 6 + 5
    assert [line.partition(":")[0] for line in lines[-5:-2]] == [
        "cells",
        "conclusions",
        "measurements",
    ]
    assert lines[-2].startswith("1 cell in 1 group was compared: at 99 % each, 0.01 would")
    assert re.fullmatch(r"1 outcome in \d+\.\d s: page/index\.html", lines[-1])


def test_tables_and_figures_come_from_the_store(capsys):
    assert main(["report", "store", "--csv"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert [row["quantity"] for row in rows][:2] == ["phase_1_rate", "phase_1_end"]
    assert main(["report", "store", "--latex"]) == 0
    assert capsys.readouterr().out.count(r"\toprule") == 1
    assert main(["report", "store", "--figures", "drawn"]) == 0
    written = capsys.readouterr().out.splitlines()
    assert "drawn/glasgow2023.xor/xor-parts.pdf" in written
    assert "drawn/stories.svg" in written
    assert len(written) == (1 + 4) * 5
    assert all(Path(file).stat().st_size > 100 for file in written)


def test_a_row_that_is_not_the_one_recorded_ends_with_1_and_says_so(capsys, monkeypatch):
    main([*COMMAND, "--json"])
    row = next(row for row in document(capsys)["ledger"] if row["status"] == "differs")
    rows = {f"xor/{row['quantity']}/{row['recipe']}": "agrees"}
    monkeypatch.setattr(Paper, "expected", lambda self: {"verdicts": {}, "rows": rows})
    assert main(COMMAND) == 1
    told = capsys.readouterr().err
    assert told == (
        f"featlearn: not as recorded: glasgow2023.xor {row['quantity']} ({row['recipe']}): "
        "expected agrees, got differs.\n"
    )
    assert "expected agrees, got differs." in Path("page/index.html").read_text()


def test_a_number_three_errors_off_the_recorded_one_ends_with_1_and_one_sentence(
    capsys, monkeypatch
):
    made = stored_item(Store(root=Path("store")).open(), xor.ITEM, "quick")
    assert made is not None
    row = next(row for row in made.reproduction.rows if row.stderr)
    entry = record(row, made.digest)
    expected = {"verdicts": {}, "rows": {row.key: entry}}
    monkeypatch.setattr(Paper, "expected", lambda self: expected)
    assert main(COMMAND) == 0
    capsys.readouterr()
    entry["value"] += 3 * entry["stderr"]
    assert main(COMMAND) == 1
    (told,) = capsys.readouterr().err.splitlines()
    where = f"featlearn: not as recorded: glasgow2023.xor {row.quantity} ({row.recipe}): recorded "
    assert told.startswith(where)
    assert told.endswith(", 2.1 errors of both apart.")


def test_a_misspelt_key_ends_with_2_and_one_sentence(capsys, monkeypatch):
    expected = {"verdicts": {}, "rows": {"xro/phase_1_rate/mean square": "agrees"}}
    monkeypatch.setattr(Paper, "expected", lambda self: expected)
    assert main(COMMAND) == 2
    assert capsys.readouterr().err == (
        "featlearn: glasgow2023/expected.json: expected a row of an item of the paper, got "
        "'xro/phase_1_rate/mean square'. Did you mean xor?\n"
    )


def test_an_item_that_fails_ends_with_1_and_the_page_is_written_all_the_same(capsys, monkeypatch):
    monkeypatch.setattr(Xor, "experiment", lambda self: 1 / 0)
    assert main([*COMMAND, "--fresh", "--json"]) == 1
    told = document(capsys)
    error = "ZeroDivisionError: division by zero"
    assert told["failed"] == [{"id": "glasgow2023.xor", "error": error}]
    assert error in Path("page/index.html").read_text()


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (
            ["reproduce", "glasgow2032"],
            "reproduce: expected a paper, an item or a statement, got 'glasgow2032'. "
            "Did you mean glasgow2023?",
        ),
        (
            ["reproduce", "--size", "huge"],
            "--size: expected one of 'quick', 'full', got 'huge'. "
            "See `featlearn reproduce huge --help`.",
        ),
        (
            ["reproduce", "--report", "."],
            "--report .: expected the name of a file, got a folder.",
        ),
        (["report", "nowhere"], "report: expected the folder of a store, got 'nowhere'."),
        (
            ["report", "empty"],
            "report empty: expected a store with reproduced items or decided statements, got none. "
            "Try `featlearn reproduce` first.",
        ),
        (
            ["report", "empty", "--latex", "--csv"],
            "report: expected one of --latex, --csv, --figures, --json, got --latex and --csv.",
        ),
    ],
)
def test_bad_input_ends_with_2_and_one_sentence(tokens, message, capsys):
    Path("empty").mkdir()
    assert main(tokens) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"featlearn: {message.partition(' See')[0]}")
