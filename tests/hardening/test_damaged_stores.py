"""A damaged store: files cut short, emptied, overwritten, lost, or folders in their place.

Every command then gives the numbers that it gave before, or ends with 2 and one sentence; and it
touches nothing that was whole.
"""

import itertools
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from featlearn.experiments.scheduler import Stopped
from featlearn.experiments.trajectory import trajectory_task
from featlearn.papers.glasgow2023.xor import XOR, Xor
from featlearn.reproduction.catalogue import papers
from featlearn.reproduction.outcome import item_key, write_item
from featlearn.results.checkpoint import Checkpoint
from featlearn.results.codec import load, save
from featlearn.results.store import Store
from tests.hardening.stores import (
    CHECK,
    RUN,
    STATEMENT,
    SWEEP,
    contents,
    numbers,
    say,
    the_engine_as_it_is,
)
from tests.report.outcomes import ITEM

OUT = ["--out", "store"]
RESULT = "glasgow2023.xor/{hash}"
COMPARE = ["compare", f"store/{RESULT}", f"store/{RESULT}", "--out", "store"]
REPORT = ["report", "store", "--report", "page.html"]
COMMANDS = {
    "run": [*RUN, *OUT],
    "sweep": [*SWEEP, *OUT],
    "compare": COMPARE,
    "check": [*CHECK, *OUT],
    "report": REPORT,
}
FILES = {
    "featlearn.json": list(COMMANDS),
    f"{RESULT}/entry.json": ["sweep", "compare"],
    f"{RESULT}/lock": ["sweep"],
    f"{RESULT}/sources.json": ["run", "sweep"],
    f"{RESULT}/seeds-0-1/manifest.json": ["run", "sweep", "compare"],
    f"{RESULT}/seeds-0-1/about.json": ["run", "sweep", "compare"],
    f"{RESULT}/seeds-0-1/data.npz": ["run", "sweep"],
    f"{RESULT}/seeds-0-1": ["sweep", "compare"],
    "my.claim/*/*/seeds-0-0/data.npz": ["check"],
    "my.claim/*/*/seeds-0-0/about.json": ["check"],
    "{sweep}/value/data.npz": ["sweep"],
    "{item}/quick/data.npz": ["report"],
    "{item}/quick/about.json": ["report"],
    "{item}/entry.json": ["report"],
}
"""Every kind of file, and the commands that read it."""


AN_ITEM = replace(
    ITEM,
    id="glasgow2023.xor",
    reproduction=replace(ITEM.reproduction, figures=(), story=None),  # nothing to draw
)


def remove(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()


def replace_by(content: bytes):
    def damage(path: Path) -> None:
        remove(path)
        path.write_bytes(content)

    return damage


def cut(path: Path) -> None:
    if path.is_file():
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def other_numbers(path: Path) -> None:
    """A file that is whole in form, and tells something else."""
    if path.is_file():
        content = path.read_bytes()
        path.write_bytes(content.replace(b"0.", b"7.").replace(b"1", b"2"))


def folder(path: Path) -> None:
    remove(path)
    path.mkdir()


DAMAGES = {
    "cut": cut,
    "empty": replace_by(b""),
    "garbage": replace_by(b"\x93\x00\xff{[" * 40),
    "deep": replace_by(b"[" * 20_000),
    "object": replace_by(b'{"files": {"summary.json": 3}, "values": {}, "rows": [{}]}'),
    "other numbers": other_numbers,
    "lost": remove,
    "folder": folder,
}


@pytest.fixture(scope="module", autouse=True)
def engine():
    with the_engine_as_it_is():
        yield


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A folder with a store that has something of everything, and what each command says of it."""
    here = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here)
        (here / "mine.py").write_text(STATEMENT)
        hashed = "/".join(Path(say([*RUN, *OUT])[1]["out"]).parts[-2:])
        item = papers()[AN_ITEM.paper].item(AN_ITEM.id.partition(".")[2])
        entry = Store(root=here / "store").entry(item.id, item_key(item, ""), kind="item")
        write_item(entry, AN_ITEM, ())
        for words in COMMANDS.values():
            say(with_hash(words, hashed))
        told = {name: numbers(say(with_hash(c, hashed))[1]) for name, c in COMMANDS.items()}
    return here, hashed, told


def with_hash(words: list[str], hashed: str) -> list[str]:
    return [word.replace("{hash}", hashed) for word in words]


@pytest.fixture
def place(whole, tmp_path):
    here, hashed, told = whole
    shutil.copytree(here, tmp_path, dirs_exist_ok=True)
    return tmp_path / "store", hashed, told


def of_kind(words: str, store: Path) -> str:
    """With the folder of the sweep or the item in its place."""
    for kind in ("sweep", "item"):
        if f"{{{kind}}}" in words:
            files = store.glob("*/*/*/entry.json")
            (found,) = [f.parent for f in files if f'"kind": "{kind}"' in f.read_text()]
            words = words.replace(f"{{{kind}}}", str(found.relative_to(store)))
    return words


def some_of(pairs):
    """Every fifth pair here, so that each kind and each damage has one; all in the long tests."""
    slow = pytest.mark.slow
    return [pytest.param(*pair, marks=() if i % 5 == 0 else slow) for i, pair in enumerate(pairs)]


@pytest.mark.parametrize(("kind", "damage"), some_of([*itertools.product(FILES, DAMAGES)]))
def test_the_numbers_are_the_same_or_one_sentence_says_what_is_wrong(kind, damage, place):
    store, hashed, told = place
    (file,) = store.glob(of_kind(kind, store).replace("{hash}", hashed))
    DAMAGES[damage](file)
    damaged = str(file.relative_to(store))
    before = contents(store)
    for name in FILES[kind]:
        code, document, sentence = say(with_hash(COMMANDS[name], hashed))
        if code == 0 and name == "sweep":
            for row, (config, summary) in zip(document["rows"], told[name], strict=True):
                assert row["config"] == config
                if row["status"] == "failed":
                    assert file.name in row["error"] or file.parent.name in row["error"]
                else:
                    assert row["summary"] == summary
        elif code == 0:
            assert numbers(document) == told[name]
        else:
            # It says what to look at: the file, or the folder that is to have it.
            assert file.name in sentence or file.parent.name in sentence or damage == "lost"
    after = contents(store)
    assert {path for path in before if before[path] != after.get(path)} <= {damaged}


@pytest.mark.parametrize("kind", ["manifest.json", "about.json", "data.npz"])
def test_fresh_makes_a_damaged_result_whole(kind, place):
    store, hashed, told = place
    file = store / RESULT.format(hash=hashed) / "seeds-0-1" / kind
    file.write_bytes(b"x")
    code, _, sentence = say([*RUN, *OUT])
    assert code == 2
    assert "Use --fresh" in sentence
    assert numbers(say([*RUN, *OUT, "--fresh"])[1]) == told["run"]
    assert numbers(say([*RUN, *OUT])[1]) == told["run"]


def test_a_lost_result_is_computed_again(place):
    store, hashed, told = place
    shutil.rmtree(store / RESULT.format(hash=hashed))
    _, document, _ = say([*RUN, *OUT])
    assert document["status"] == "computed"
    assert numbers(document) == told["run"]


def test_a_store_that_lost_its_name_says_how_to_give_it_back(place):
    store, _, told = place
    (store / "featlearn.json").write_text("")
    _, _, sentence = say([*RUN, *OUT])
    assert sentence == (
        "featlearn: store/featlearn.json: expected a whole JSON file, got JSONDecodeError. "
        'If the store is yours, write {"program": "featlearn", "format": 3} into it.\n'
    )
    (store / "featlearn.json").write_text('{"program": "featlearn", "format": 3}')
    assert numbers(say([*RUN, *OUT])[1]) == told["run"]


@pytest.mark.parametrize("name", ["seeds-5-6", "seeds-0-99999999999", "seeds-7-3", "seeds-x-y"])
def test_a_folder_of_a_forged_name_is_one_sentence_or_nothing(name, place):
    """A store is data from somebody else: the name of a folder may tell anything."""
    store, hashed, told = place
    result = store / RESULT.format(hash=hashed)
    shutil.copytree(result / "seeds-0-1", result / name)
    assert numbers(say([*RUN, *OUT])[1]) == told["run"]
    words = [*RUN, *OUT, "--first-seed", "5"]
    code, document, sentence = say(words)
    if name == "seeds-5-6":
        assert code == 2
        assert name in sentence
        assert "Remove that folder." in sentence
    else:
        assert document["status"] == "computed"


# A trajectory under way: whatever became of its files, it begins again and ends with the same bits.


def leave_a_checkpoint(plan, folder: Path) -> None:
    """Train until the first record is saved, and stop."""
    with pytest.raises(Stopped):
        trajectory_task(lambda: plan, 0, folder).work(lambda: True, lambda share: None)


@pytest.fixture(scope="module")
def plan():
    return Xor(d=5, width=4, steps=4, records=2, test=20).experiment().plan


@pytest.fixture(scope="module")
def undisturbed(plan):
    return trajectory_task(lambda: plan, 0, None).work(lambda: False, lambda share: None)


def of_another_experiment(path: Path) -> None:
    """A file of the right form and names, with arrays of other shapes."""
    saved = load(path)
    if "leaves" in saved:
        saved["leaves"] = [np.zeros((3, 2)) for _ in saved["leaves"]]
    else:
        saved = {t: {name: np.zeros((3, 2)) for name in record} for t, record in saved.items()}
    save(path, saved)


def of_another_phase(path: Path) -> None:
    if path.name == "state.npz":
        save(path, {**load(path), "phase": 17, "step": 3})


CHECKPOINT_DAMAGES = {
    **{name: DAMAGES[name] for name in ("cut", "empty", "garbage", "lost")},
    "other shapes": of_another_experiment,
    "other phase": of_another_phase,
}


@pytest.mark.parametrize("damage", list(CHECKPOINT_DAMAGES))
@pytest.mark.parametrize("name", ["state.npz", "records-0000.npz"])
def test_a_damaged_checkpoint_begins_again(name, damage, plan, undisturbed, tmp_path):
    leave_a_checkpoint(plan, tmp_path)
    CHECKPOINT_DAMAGES[damage](tmp_path / name)
    again = trajectory_task(lambda: plan, 0, tmp_path).work(lambda: False, lambda share: None)
    assert sorted(again.records) == sorted(undisturbed.records)
    for step, record in undisturbed.records.items():
        for quantity, values in record.items():
            np.testing.assert_array_equal(again.records[step][quantity], values)


def test_every_bit_of_a_checkpoint_counts(plan, tmp_path, rng):
    leave_a_checkpoint(plan, tmp_path)
    content = bytearray((tmp_path / "state.npz").read_bytes())
    whole = Checkpoint(tmp_path).load(lambda phase: plan.structure(phase, seed=0))
    assert whole is not None
    for place in rng.integers(len(content), size=60):
        changed = bytearray(content)
        changed[place] ^= 1 << int(rng.integers(8))
        (tmp_path / "state.npz").write_bytes(changed)
        found = Checkpoint(tmp_path).load(lambda phase: plan.structure(phase, seed=0))
        if found is not None:  # a date or an attribute that nobody reads
            assert found[0].step == whole[0].step
            np.testing.assert_array_equal(found[0].state.params.w, whole[0].state.params.w)


def test_two_entries_of_a_seed_are_not_a_reason_to_compute(place):
    """What a process that was killed between writing and dropping leaves behind."""
    store, _, told = place
    config = Xor(d=5, width=4, steps=4, records=2, test=20, eta=0.1)
    entry = Store(root=store).entry(XOR.id, config.experiment().key)
    shutil.copytree(entry.path / "seeds-0-1", entry.path / "seeds-0-0")
    assert entry.about("seeds-0-0")["summary"]["seeds"] == [0, 1]
    _, document, _ = say([*RUN, *OUT])
    assert document["status"] == "read"
    assert numbers(document) == told["run"]
