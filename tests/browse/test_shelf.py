"""The list of a store: searched, sorted, narrowed; deleted from with care; quick with thousands."""

import shutil
import time

import pytest

from featlearn._check import InputError
from featlearn.browse.shelf import Shelf
from featlearn.results.key import ResultKey
from tests.browse.stores import add_run, small_store


def ids(found) -> list[str]:
    return [entry["fields"].get("d", "") for entry in found["entries"]]


def test_words_fields_ids_and_days_narrow_the_list(store):
    shelf = Shelf(store.root)
    assert shelf.search()["found"] == 7
    assert shelf.search(words="xor")["found"] == 6
    assert shelf.search(words="xor d=10")["found"] == 2, "not d=100"
    assert shelf.search(words="d=10 eta=0.4")["found"] == 1
    assert shelf.search(identity="toy.clusters")["found"] == 1
    assert shelf.search(kind="evidence")["found"] == 0
    assert shelf.search(since="2999-01-01")["found"] == 0
    with pytest.raises(InputError, match="since: expected a day such as 2026-01-31"):
        shelf.search(since="tomorrow")


def test_only_fields_that_differ_are_shown_and_numbers_sort_by_size(store):
    found = Shelf(store.root).search(identity="toy.xor", sort="d", descending=False)
    assert found["fields"] == ["d", "eta"]
    assert ids(found) == ["10", "10", "100", "100", "1000", "1000"]
    assert found["ids"] == {"toy.clusters": 1, "toy.xor": 6}


def test_what_is_new_is_seen_when_one_looks_again(store):
    shelf = Shelf(store.root)
    add_run(store, "toy.xor", d=7, eta=0.1)
    assert shelf.search()["found"] == 7
    shelf.look()
    assert shelf.search(words="d=7")["found"] == 1


def test_what_something_rests_on_is_not_deleted(store):
    shelf = Shelf(store.root)
    one, two = (each["address"] for each in shelf.search(words="d=10")["entries"])
    child = store.entry(
        "toy.item", ResultKey(description="item", modules={"toy": "0"}), {}, kind="item"
    )
    child.write({"rows": []}, parents=[one])
    shelf.look()
    going, needed = shelf.going([one, two])
    assert [each.address for each in going] == [two]
    assert [each.address for each in needed] == [one]
    assert shelf.delete([one, two]) == [two]
    assert (store.root / one).is_dir()
    assert not (store.root / two).exists()


def test_only_addresses_of_the_list_are_known(store, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    with pytest.raises(InputError, match="entry: expected one of the list"):
        Shelf(store.root).delete(["../elsewhere"])
    assert (tmp_path / "elsewhere").is_dir()


def test_a_folder_that_is_no_store_is_refused(tmp_path):
    with pytest.raises(InputError, match="expected a featlearn store, got none"):
        Shelf(tmp_path)


@pytest.mark.slow
def test_five_thousand_entries_stay_quick(tmp_path):
    store = small_store(tmp_path / "results")
    (pattern,) = (store.root / "toy.clusters").glob("*/*")
    for place in range(5000):
        key = f"{place:012x}"
        folder = store.root / "toy.many" / key / pattern.name
        shutil.copytree(pattern, folder)
        text = (folder / "entry.json").read_text()
        (folder / "entry.json").write_text(text.replace('"d": 2', f'"d": {place}'))
    begin = time.perf_counter()
    shelf = Shelf(store.root)
    opened = time.perf_counter() - begin
    begin = time.perf_counter()
    found = shelf.search(words="d=4321", sort="d")
    searched = time.perf_counter() - begin
    begin = time.perf_counter()
    shelf.look()
    again = time.perf_counter() - begin
    print(f"5007 entries: opened {opened:.2f} s, searched {searched:.3f} s, again {again:.2f} s")
    assert found["found"] == 1
    # A factor of five above what a laptop takes; reading arrays instead would take minutes.
    assert opened < 10
    assert again < 5
    assert searched < 0.5
