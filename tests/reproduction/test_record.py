"""`featlearn record`: numbers and verdicts from a store into expected.json; what moved is told."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from featlearn.cli.main import main
from featlearn.papers.glasgow2023.items import xor
from featlearn.reproduction import record as recording
from featlearn.reproduction.catalogue import papers
from featlearn.reproduction.item import Context, Reproduction
from featlearn.reproduction.paper import Paper
from featlearn.reproduction.reproduce import reproduce
from featlearn.reproduction.rows import cell, conclusion
from featlearn.results.ledger import Printed, Status
from featlearn.results.store import Store

VALUES = [86.0, 86.2, 86.4, 86.6, 86.8]
PRINTED = Printed(value=86.4, rounding=0.05, sd=0.5, runs=5)


def rows_of(shift: float):
    def make(context: Context) -> Reproduction:
        moved = [value + shift for value in VALUES]
        return Reproduction(
            rows=(
                cell(context, "glasgow2023.xor", "accuracy", moved, PRINTED, unit="%"),
                conclusion(context, "glasgow2023.xor", "order", 1.0, "always", True),
            )
        )

    return make


@pytest.fixture
def home(monkeypatch, tmp_path) -> Path:
    """A paper whose record is elsewhere, with an item that costs nothing."""
    rows = {"phase-times/q/r": "agrees", "xor/accuracy/literal": "agrees", "xor/old/r": "agrees"}
    document = {"verdicts": {"lemma-4.1": {"printed": "OPEN"}}, "rows": rows}
    (tmp_path / "expected.json").write_text(json.dumps(document))
    monkeypatch.setattr(Paper, "folder", property(lambda self: tmp_path))
    monkeypatch.setattr(xor, "ITEM", replace(xor.ITEM, reproduce=rows_of(0.0)))
    return tmp_path


def rows(home: Path) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = json.loads((home / "expected.json").read_text())["rows"]
    return found


def test_numbers_of_full_size_are_recorded_and_the_rest_stays(home, capsys):
    reproduce(["glasgow2023.xor"], size="full", out=home / "store")
    assert main(["record", "glasgow2023.xor", "--out", str(home / "store")]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "glasgow2023.xor/old/r: no row has that name any more.",
        "glasgow2023: 3 rows and 1 verdicts recorded, 2 new, 1 moved.",
    ]
    found = rows(home)
    assert list(found) == ["phase-times/q/r", "xor/accuracy/literal", "xor/order/literal"]
    entry = found["xor/accuracy/literal"]
    assert (entry["value"], entry["seeds"], entry["size"]) == (pytest.approx(86.4), 5, "full")
    assert (entry["status"], entry["stderr"]) == ("agrees", pytest.approx(0.14142136))
    assert entry["command"] == "featlearn reproduce glasgow2023.xor --size full"
    assert str(entry["digest"]).count("-") == 1
    text = (home / "expected.json").read_text()
    assert sum(line.startswith("    ") for line in text.splitlines()) == 4  # a line an entry
    (again,) = reproduce(["glasgow2023.xor"], size="full", out=home / "store")
    assert again.surprises == []


def test_what_moved_is_told_in_errors(home, capsys, monkeypatch):
    store = ["--out", str(home / "store")]
    reproduce(["glasgow2023.xor"], size="full", out=home / "store")
    main(["record", "glasgow2023.xor", *store])
    monkeypatch.setattr(xor, "ITEM", replace(xor.ITEM, reproduce=rows_of(10.0)))
    (made,) = reproduce(["glasgow2023.xor"], size="full", out=home / "store", fresh=True)
    (told,) = made.surprises
    assert told == (
        "glasgow2023.xor accuracy (literal): expected agrees, got higher (recorded 86.4 ± 0.14, "
        "now 96.4 ± 0.14, 50 errors of both apart)."
    )
    capsys.readouterr()
    before = (home / "expected.json").read_text()
    assert main(["record", "glasgow2023.xor", "--dry", *store]) == 0
    assert capsys.readouterr().out.splitlines()[0] == (
        "glasgow2023.xor/accuracy/literal: agrees -> higher, 86.4 ± 0.14 -> 96.4 ± 0.14, "
        "50 errors of both apart."
    )
    assert (home / "expected.json").read_text() == before


def test_a_store_without_the_full_size_is_refused(home, capsys):
    reproduce(["glasgow2023.xor"], size="quick", out=home / "store")
    assert main(["record", "glasgow2023.xor", "--out", str(home / "store")]) == 2
    told = capsys.readouterr().err
    assert "expected outcomes at full size of this code in " in told
    assert "got none of glasgow2023.xor. Try `featlearn reproduce glasgow2023.xor --size" in told
    assert main(["record", "glasgow2032"]) == 2
    assert "Did you mean glasgow2023?" in capsys.readouterr().err


def test_of_a_paper_what_the_store_has_is_recorded_and_the_rest_stays(home, capsys):
    store = ["--out", str(home / "store")]
    reproduce(["glasgow2023.xor"], size="full", out=home / "store")
    before = json.loads((home / "expected.json").read_text())
    assert main(["record", "glasgow2023", *store]) == 0
    told = capsys.readouterr().out.splitlines()[-1]
    assert told.startswith("Not in the store at full size, kept as recorded: glasgow2023.")
    assert "glasgow2023.phase-times, " in told
    assert "glasgow2023.xor," not in told
    after = json.loads((home / "expected.json").read_text())
    assert after["verdicts"] == before["verdicts"]
    assert after["rows"]["phase-times/q/r"] == before["rows"]["phase-times/q/r"]
    assert after["rows"]["xor/accuracy/literal"]["value"] == pytest.approx(86.4)


def test_what_was_not_run_does_not_replace_what_was_recorded(home, capsys, monkeypatch):
    def nothing(context: Context) -> Reproduction:
        (row, _) = rows_of(0.0)(context).rows
        return Reproduction(rows=(replace(row, recipe="digits", status=Status.NOT_RUN),))

    monkeypatch.setattr(xor, "ITEM", replace(xor.ITEM, reproduce=nothing))
    reproduce(["glasgow2023.xor"], size="full", out=home / "store")
    assert main(["record", "glasgow2023.xor", "--out", str(home / "store")]) == 2
    assert "got none of glasgow2023.xor." in capsys.readouterr().err


def test_an_item_for_a_gpu_is_recorded_at_the_size_that_was_made(home, monkeypatch):
    monkeypatch.setattr(xor, "ITEM", replace(xor.ITEM, gpu=True))
    monkeypatch.setattr("featlearn.reproduction.reproduce.has_gpu", lambda: False)
    reproduce(["glasgow2023.xor"], size="full", out=home / "store")
    store = Store(root=home / "store").open()
    found = recording.recording("glasgow2023.xor", store)
    row = found.rows["xor/accuracy/literal"]
    assert isinstance(row, dict)
    assert row["size"] == "quick"


def test_a_key_that_no_row_has_is_a_surprise_of_the_full_size(home):
    for size, many in (("quick", 0), ("full", 1)):
        (made,) = reproduce(["glasgow2023.xor"], size=size)
        told = [sentence for sentence in made.surprises if "expected a row of" in sentence]
        assert len(told) == many
    assert papers()["glasgow2023"].expected()["rows"]["xor/old/r"] == "agrees"


def test_rows_about_other_images_stay_when_an_item_is_recorded(home, monkeypatch):
    def on(images: str):
        def make(context: Context) -> Reproduction:
            row = conclusion(
                context, "glasgow2023.xor", images, 1.0, "x", True, size=f"full, {images}"
            )
            return Reproduction(rows=(row,))

        return make

    for images in ("digits", "mnist", "digits"):
        monkeypatch.setattr(xor, "ITEM", replace(xor.ITEM, reproduce=on(images)))
        reproduce(["glasgow2023.xor"], size="full", out=home / images, fresh=True)
        assert main(["record", "glasgow2023.xor", "--out", str(home / images)]) == 0
    kept = [key for key in rows(home) if key.startswith("xor/")]
    assert sorted(kept) == ["xor/digits/literal", "xor/mnist/literal"]
