"""Ctrl-C, kill -9, two at once: the same command ends with the same bits. Real processes."""

import contextlib
import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from featlearn._check import InputError
from featlearn.results.codec import load

# A few seconds of work; compiled once for all runs of this file.
COMMAND = "run glasgow2023.xor --d 60 --width 60 --steps 20000 --test 100 --records 12 --seeds 2"
PROGRAM = """\
import sys
import featlearn.experiments.trajectory as trajectory
trajectory.CHECKPOINT_SECONDS = 0.3
from featlearn.cli.main import main
# A shell starts what runs in the background with the signal of Ctrl-C ignored.
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(main())
"""


def start(folder, *more, cache):
    """The command in a process of its own, with checkpoints three times a second."""
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *COMMAND.split(), "--out", "store", *more],
        cwd=folder,
        env={**os.environ, "JAX_COMPILATION_CACHE_DIR": str(cache)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def bits(folder):
    """The checksum of all stored arrays."""
    (data,) = folder.rglob("data.npz")
    return hashlib.sha256(data.read_bytes()).hexdigest()


def steps_saved(folder):
    """How far each seed's checkpoint has got."""
    saved = {}
    with contextlib.suppress(FileNotFoundError):  # a folder has just gone
        for file in folder.rglob("state.npz"):
            with contextlib.suppress(InputError):  # just being replaced
                saved[file.parent.name] = load(file)["step"]
    return saved


def wait_until_under_way(process, folder):
    """Until some seed is saved beyond its first steps, well before the end."""
    for _ in range(1200):
        if any(200 < step < 16000 for step in steps_saved(folder).values()):
            return
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    pytest.fail("no checkpoint within a minute")


@pytest.fixture(scope="module")
def cache(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("xla")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory, cache):
    folder = tmp_path_factory.mktemp("undisturbed")
    process = start(folder, cache=cache)
    told = process.communicate()
    assert process.returncode == 0, told
    return bits(folder)


@pytest.mark.parametrize(
    "blow",
    [
        pytest.param(signal.SIGINT, id="ctrl-c", marks=pytest.mark.slow),
        pytest.param(signal.SIGKILL, id="kill -9"),
    ],
)
def test_the_same_command_goes_on_to_the_same_bits(blow, tmp_path, cache, undisturbed):
    process = start(tmp_path, cache=cache)
    wait_until_under_way(process, tmp_path)
    process.send_signal(blow)
    out, err = process.communicate(timeout=60)
    if blow is signal.SIGINT:
        assert process.returncode == 130
        said = "interrupted; what was computed is kept, the same command goes on."
        assert (out, err) == ("", f"\nfeatlearn: {said}\n")
    saved = steps_saved(tmp_path)
    assert any(step > 200 for step in saved.values())
    marks = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("records-0000.npz")}
    again = start(tmp_path, cache=cache)
    while again.poll() is None:
        # It went on: no seed falls behind what was saved, no first part is written anew.
        now = steps_saved(tmp_path)
        assert all(now[seed] >= step for seed, step in saved.items() if seed in now)
        for path, mark in marks.items():
            with contextlib.suppress(FileNotFoundError):  # it has just ended
                assert path.stat().st_mtime_ns == mark
        time.sleep(0.05)
    told = again.communicate()
    assert again.returncode == 0, told
    assert bits(tmp_path) == undisturbed
    assert list(tmp_path.rglob("partial")) == []
    assert [path for path in tmp_path.rglob(".*") if "seeds" in path.name] == []


@pytest.mark.slow
def test_of_two_at_once_one_computes_and_the_other_reads(tmp_path, cache, undisturbed):
    pair = [start(tmp_path, cache=cache) for _ in range(2)]
    told = [process.communicate(timeout=300) for process in pair]
    assert [process.returncode for process in pair] == [0, 0], told
    ways = sorted("read from the store" in out for out, _ in told)
    assert ways == [False, True]
    assert bits(tmp_path) == undisturbed


@pytest.mark.slow
def test_fresh_gives_the_same_bits_again(tmp_path, cache, undisturbed):
    for _ in range(2):
        process = start(tmp_path, "--fresh", cache=cache)
        told = process.communicate()
        assert process.returncode == 0, told
        assert bits(tmp_path) == undisturbed
