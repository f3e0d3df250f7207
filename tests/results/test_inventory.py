"""What a store holds: listed by names, verified by checksums, cleaned by age."""

import json
import os
import shutil
import sys
import time

import pytest

import featlearn as fl
from featlearn.cli.main import main
from featlearn.results.inventory import inventory
from featlearn.results.key import ResultKey
from featlearn.results.store import Store

NET = fl.TwoLayer(d=4, width=2, w=fl.Sphere(radius=0.5), a=fl.Signs(size=0.5), scaling="one")
HOW = fl.SGD(eta=0.2, batch=4, steps=1, loss=fl.logistic)
EXPERIMENT = fl.Experiment(fl.Parity(d=4), NET, HOW, record=[fl.HeldOut(samples=9)], at=(0, 1))
KEY = ResultKey(description={"a": 1}, modules={})


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
    assert [(e["id"], e["kind"], e["parts"], e["seeds"]) for e in entries] == [
        ("daniely2020.lemma-8", "evidence", ["seeds-0-0"], 1),
        ("experiment", "run", ["seeds-0-2"], 3),
    ]
    assert [e["id"] for e in told(capsys, "list", "daniely")["entries"]] == ["daniely2020.lemma-8"]
    assert told(capsys, "list", "lemma")["entries"] == [], "by its beginning"
    size = sum(file.stat().st_size for file in store.glob("experiment/**/*") if file.is_file())
    assert entries[1]["bytes"] == size
    assert main(["store", "list", "--out", "store"]) == 0
    assert "2 entries" in capsys.readouterr().out


def test_a_flipped_byte_is_found(store, capsys):
    assert told(capsys, "verify")["problems"] == []
    (file,) = store.glob("experiment/*/*/seeds-0-2/data.npz")
    file.write_bytes(b"?" + file.read_bytes()[1:])
    (about,) = store.glob("daniely2020.lemma-8/*/*/seeds-*/about.json")
    about.write_text(about.read_text().replace("jax", "JAX"))
    problems = told(capsys, "verify", code=1)["problems"]
    assert len(problems) == 2
    assert "data.npz: expected the contents its manifest lists" in problems[1]


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


def test_ten_thousand_entries_are_listed_and_found_by_their_names(tmp_path):
    """The list costs a look at every folder, and finding one of them does not cost a list."""
    (tmp_path / "featlearn.json").write_text('{"program": "featlearn", "format": 3}')
    for i in range(10_000):
        (tmp_path / "x.y" / f"{i:012x}" / "abc" / "seeds-0-4").mkdir(parents=True)
    opened: list[str] = []
    active = False

    def seen(event: str, args: tuple[object, ...]) -> None:
        if active and event in ("open", "os.scandir", "os.listdir"):
            opened.append(str(args[0]))

    sys.addaudithook(seen)
    active = True
    found = inventory(tmp_path)
    listing = len(opened)
    opened.clear()
    Store(root=tmp_path).entry("x.y", KEY)
    looking = len(opened)
    active = False
    assert (len(found), {each.seeds for each in found}) == (10_000, {5})
    assert listing <= 20_002, "two looks an entry, and no file is read"
    assert looking <= 4


def test_what_is_of_other_code_goes_and_what_something_rests_on_stays(store, capsys):
    assert told(capsys, "clean", "--stale")["entries"] == []
    parent = next(each for each in inventory(store) if each.id == "experiment")
    child = Store(root=store).entry("my.child", KEY, kind="computed")
    child.write(3, parents=[parent.address])
    (file,) = store.glob("experiment/*/*/sources.json")
    known = json.loads(file.read_text())
    changed = {
        digest: {name: "0" * 64 if "parity" in name else d for name, d in modules.items()}
        for digest, modules in known.items()
    }
    file.write_text(json.dumps(changed))
    explained = {e["address"]: e for e in told(capsys, "explain")["entries"]}
    assert explained[parent.address]["changed"] == ["featlearn.distributions.parity"]
    assert "other code (featlearn.distributions.parity)" in explained[parent.address]["state"]
    assert explained[child.address]["parents"] == [parent.address]
    assert told(capsys, "clean", "--stale")["entries"] == [], "the child rests on it"
    shutil.rmtree(store / "my.child")
    assert [e["id"] for e in told(capsys, "clean", "--stale", "--really")["entries"]] == [
        "experiment"
    ]
    assert [each.id for each in inventory(store)] == ["daniely2020.lemma-8"]


def test_to_clean_one_says_what(store, capsys):
    assert main(["store", "clean", "--out", "store"]) == 2
    assert "expected --stale or --older-than DAYS, got neither" in capsys.readouterr().err
