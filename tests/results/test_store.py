"""The store: many may open it at once, and files are whole or absent."""

import json
import threading

import pytest

from featlearn._check import InputError
from featlearn.papers.glasgow2023.xor import Xor
from featlearn.results.files import check_folder, finite, write_folder, write_json
from featlearn.results.provenance import without_folders
from featlearn.results.store import Store

KEY = Xor().experiment().key


def test_many_may_make_the_same_store_at_the_same_moment(tmp_path):
    for attempt in range(20):
        root = tmp_path / str(attempt)
        problems: list[str] = []
        begin = threading.Barrier(8)

        def open_it(root=root, begin=begin, problems=problems):
            begin.wait()
            try:
                entry = Store(root=root).open().entry("x.y", KEY)
                with entry.lock():
                    pass
            except InputError as error:
                problems.append(str(error))

        threads = [threading.Thread(target=open_it) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert problems == []


def test_one_holds_the_lock_and_what_a_killed_process_left_is_swept_up(tmp_path):
    entry = Store(root=tmp_path / "store").open().entry("x.y", KEY)
    entry.path.mkdir(parents=True)
    (entry.path / ".seeds-0-1.0123abcd").mkdir()
    (entry.path / ".entry.json.0123abcd").write_text("{")
    with entry.lock() as mine:
        assert mine
        assert [path.name for path in entry.path.iterdir()] == ["lock"]
        with entry.lock(wait=False) as also:
            assert not also
    with entry.lock(wait=False) as mine:
        assert mine


def test_a_folder_that_could_not_be_filled_leaves_the_old_one(tmp_path):
    write_folder(tmp_path / "a", lambda folder: write_json(folder / "x.json", 1))

    def fail(folder):
        (folder / "x.json").write_text("2")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_folder(tmp_path / "a", fail)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert json.loads((tmp_path / "a" / "x.json").read_text()) == 1
    check_folder(tmp_path / "a")


def test_a_manifest_that_lists_nothing_is_no_manifest(tmp_path):
    write_folder(tmp_path / "a", lambda folder: write_json(folder / "x.json", 1))
    (tmp_path / "a" / "manifest.json").write_text("[]")
    with pytest.raises(InputError) as told:
        check_folder(tmp_path / "a")
    assert str(told.value) == (
        f"{tmp_path}/a/manifest.json: expected a list of files, got none. "
        "Use --fresh to compute it again."
    )


def test_numbers_that_json_cannot_carry_become_null():
    nested = {"a": [float("nan"), 1.0, (float("-inf"),)], "b": "nan", "c": True}
    assert finite(nested) == {"a": [None, 1.0, [None]], "b": "nan", "c": True}


@pytest.mark.parametrize(
    ("word", "left"),
    [
        ("/tm" + "p/x/my.py:NAME", "my.py:NAME"),
        ("--out=/da" + "ta/x", "--out=x"),
        ("~/results", "results"),
        ("results/a", "results/a"),
        ("../a", "../a"),
        ("1/2", "1/2"),
    ],
)
def test_absolute_paths_lose_their_folders(word, left):
    assert without_folders(word) == left
