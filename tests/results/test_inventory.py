"""What a store holds: listed by names, verified by checksums, cleaned by age."""

import json
import os
import time

import pytest

import featlearn as fl
from featlearn.cli.main import main
from featlearn.results.inventory import inventory

NET = fl.TwoLayer(d=4, width=2, w=fl.Sphere(radius=0.5), a=fl.Signs(size=0.5), scaling="one")
HOW = fl.SGD(eta=0.2, batch=4, steps=1, loss=fl.logistic)
EXPERIMENT = fl.Experiment(fl.Parity(d=4), NET, HOW, record=[fl.HeldOut(samples=9)], at=(0, 1))


def told(capsys, *words, code=0):
    assert main(["store", *words, "--out", "store", "--json"]) == code
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def store(tmp_path):
    fl.run(EXPERIMENT, seeds=3, out="store")
    fl.check("daniely2020.lemma-8", out="store")
    return tmp_path / "store"


def test_every_entry_is_listed(store, capsys):
    entries = told(capsys, "list")["entries"]
    assert [(e["id"], e["seeds"], e["verdicts"]) for e in entries] == [
        ("daniely2020.lemma-8", 0, 1),
        ("experiment", 3, 0),
    ]
    assert [e["id"] for e in told(capsys, "list", "daniely")["entries"]] == ["daniely2020.lemma-8"]
    assert told(capsys, "list", "lemma")["entries"] == [], "by its beginning"
    size = sum(file.stat().st_size for file in store.glob("experiment/**/*") if file.is_file())
    assert entries[1]["bytes"] == size
    assert main(["store", "list", "--out", "store"]) == 0
    assert "2 entries" in capsys.readouterr().out


def test_a_flipped_byte_is_found(store, capsys):
    assert told(capsys, "verify")["problems"] == []
    (file,) = store.glob("experiment/*/*/seeds-0-2/data.zarr/test_loss/0.0")
    file.write_bytes(b"?" + file.read_bytes()[1:])
    (decision,) = store.glob("daniely2020.lemma-8/*/*/seeds-*.json")
    decision.write_text(decision.read_text().replace("HOLDS", "FAILS"))
    problems = told(capsys, "verify", code=1)["problems"]
    assert len(problems) == 2
    assert "0.0: expected the contents its manifest lists" in problems[1]


def test_old_entries_go_when_told_really(store, capsys):
    old = next(each for each in inventory(store) if each.id == "experiment")
    os.utime(old.path, (time.time() - 10 * 86_400,) * 2)
    assert [e["id"] for e in told(capsys, "clean", "--older-than", "9")["entries"]] == [
        "experiment"
    ]
    assert len(inventory(store)) == 2, "dry by default"
    told(capsys, "clean", "--older-than", "9", "--really")
    assert [each.id for each in inventory(store)] == ["daniely2020.lemma-8"]
    assert not (store / "experiment").exists()
    assert fl.run(EXPERIMENT, seeds=1, out=store).status == "computed"


def test_a_folder_that_is_no_store_is_refused(capsys):
    assert main(["store", "list", "--out", "nowhere"]) == 2
    assert "expected a featlearn store, got none" in capsys.readouterr().err


def test_thousands_of_entries_are_listed_by_their_names(tmp_path):
    (tmp_path / "featlearn.json").write_text('{"program": "featlearn", "format": 2}')
    for i in range(2000):
        (tmp_path / "x.y" / f"{i:012x}" / "abc" / "seeds-0-4").mkdir(parents=True)
    found = inventory(tmp_path)
    assert len(found) == 2000
    assert {each.seeds for each in found} == {5}
