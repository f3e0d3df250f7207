"""A full disk: one sentence, exit code 2, nothing lost, and it goes on once there is room."""

import contextlib
import errno
import os
import resource
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from featlearn._check import InputError
from featlearn.reproduction import reproduce as reproducing
from featlearn.reproduction.item import Item
from featlearn.reproduction.reproduce import reproduce
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

FULL = (
    "featlearn: the disk: expected room for the results, got {}. "
    "What is finished is kept; make room and give the same command again.\n"
)
NO_SPACE = FULL.format("No space left on device")


@pytest.fixture(scope="module", autouse=True)
def engine():
    with the_engine_as_it_is():
        yield


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> tuple[dict[str, bytes], object]:
    """A store that never lacked room, and what the run says of it."""
    store = tmp_path_factory.mktemp("whole")
    told = say([*RUN, "--out", str(store)])[1]
    return data(store), numbers(told)


def data(store: Path) -> dict[str, bytes]:
    """The stored numbers; provenance has a date, and the manifest its checksum."""
    ignored = ("about.json", "manifest.json")
    return {path: held for path, held in contents(store).items() if not path.endswith(ignored)}


class Disk:
    """A disk with room for so many writes, of folders and of files; the next one fails."""

    def __init__(self, room: int) -> None:
        self.room = room

    def written(self, name: str, path: Path, words: tuple[Any, ...]) -> bool:
        """Whether a call would write anything."""
        if name == "open":
            return "w" in (words or ("r",))[0]
        return name != "mkdir" or not path.exists()

    def guard(self, patch: pytest.MonkeyPatch, name: str) -> None:
        original = getattr(Path, name)

        def guarded(path: Path, *words, **options):
            if self.written(name, path, words) and path.name != "lock":
                if self.room == 0:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
                self.room -= 1
            return original(path, *words, **options)

        patch.setattr(Path, name, guarded)


@contextlib.contextmanager
def room_for(writes: int):
    disk = Disk(writes)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("write_text", "write_bytes", "mkdir", "open"):
            disk.guard(patch, name)
        yield disk


@pytest.mark.slow
def test_whichever_write_fails_the_run_says_so_and_goes_on_later(tmp_path, whole):
    with room_for(10_000) as disk:
        say([*RUN, "--out", "counted"])
    writes = 10_000 - disk.room
    assert writes > 12
    for room in range(writes):  # the store, the checkpoints, the entry, its part
        store = tmp_path / str(room)
        with room_for(room):
            code, _, sentence = say([*RUN, "--out", str(store)])
        assert code == 2
        assert "No space left on device" in sentence
        assert list(store.rglob("seeds-*")) == []
        assert [path for path in store.rglob(".*") if path.is_file()] == []
        assert numbers(say([*RUN, "--out", str(store)])[1]) == whole[1]
        assert data(store) == whole[0]


def test_a_result_that_is_computed_afresh_is_there_until_the_new_one_is(tmp_path, whole):
    say([*RUN, "--out", "store"])
    before = contents(Path("store"))
    for room in (0, 3, 6):
        with room_for(room):
            assert say([*RUN, "--out", "store", "--fresh"])[0] == 2
        assert {k: v for k, v in contents(Path("store")).items() if "partial" not in k} == before
    assert say([*RUN, "--out", "store"])[1]["status"] == "read"


def test_a_sweep_stops_where_the_room_ends_and_keeps_what_is_finished(tmp_path, whole):
    say([*RUN, "--out", "store"])
    with room_for(10):
        code, _, sentence = say([*SWEEP, "--out", "store"])
    assert (code, sentence) == (2, NO_SPACE)
    states = [row["status"] for row in say([*SWEEP, "--out", "store"])[1]["rows"]]
    assert states == ["read", "computed"]


def test_a_verdict_without_room_is_decided_again(tmp_path):
    (tmp_path / "mine.py").write_text(STATEMENT)
    say([*CHECK, "--out", "store"])
    shutil.rmtree(tmp_path / "store" / "my.claim")
    for room in range(3):
        with room_for(room):
            assert say([*CHECK, "--out", "store"]) == (2, *say_full())
    assert say([*CHECK, "--out", "store"])[1]["verdicts"][0]["verdict"] == "HOLDS"


def say_full():
    told = {"where": "the disk", "expected": "room for the results"}
    hint = "What is finished is kept; make room and give the same command again."
    return {"error": {**told, "got": "No space left on device", "try": hint}}, NO_SPACE


def test_reproduce_stops_where_the_room_ends(tmp_path, monkeypatch):
    """All items that follow would fail as well, some of them after hours."""
    tried = []

    def full(context):
        tried.append(context)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "x")

    items = [Item(id=f"toy.{n}", title="A toy", reproduce=full) for n in range(3)]
    monkeypatch.setattr(reproducing, "targets", lambda ids, size: items)
    with pytest.raises(OSError, match="No space left"):
        reproduce(["toy"], out=tmp_path)
    assert len(tried) <= 2, "those that were under way"


def test_a_store_that_cannot_be_made_is_refused(tmp_path):
    with room_for(1), pytest.raises(InputError, match="got No space left on device"):
        reproduce(["glasgow2023.xor"], out=tmp_path / "store")


def test_a_file_that_may_not_grow_is_no_room_either(tmp_path, whole):
    """A limit of the system itself, for whom nothing is patched: files of at most 600 bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (600, hard))
    try:
        code, _, sentence = say([*RUN, "--out", "store"])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (code, sentence) == (2, FULL.format("File too large"))
    assert numbers(say([*RUN, "--out", "store"])[1]) == whole[1]
    assert data(Path("store")) == whole[0]


@pytest.fixture
def small_disk(tmp_path):
    """A real file system of 96 kB; only root may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=96k", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount a file system")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_real_disk_that_is_full(small_disk, whole):
    filler = small_disk / "filler"
    for kilobytes in (88, 76):
        filler.write_bytes(b"x" * (kilobytes << 10))
        code, _, sentence = say([*RUN, "--out", str(small_disk / "store")])
        assert code == 2
        assert "No space left on device" in sentence
    filler.unlink()
    remount = ["mount", "-o", "remount,size=4m", str(small_disk)]
    subprocess.run(remount, check=True)
    assert numbers(say([*RUN, "--out", str(small_disk / "store")])[1]) == whole[1]
    assert data(small_disk / "store") == whole[0]
