"""Memory of a process that lives long: many shapes, and a page that nobody watches."""

import subprocess
import sys
import time

import jax
import jax.numpy as jnp
import pytest

from featlearn.play import playground
from featlearn.play.playground import Playground
from featlearn.training import programs
from tests.play.conftest import SMALL

MANY = """
import sys
import featlearn as fl
from featlearn.experiments.engine import prepare
prepare()
def megabytes():
    return int(open("/proc/self/statm").read().split()[1]) * 4 // 1024
seen = []
for i in range(int(sys.argv[1])):
    fl.run("glasgow2023.xor", d=20 + i, width=10 + i, steps=5, records=3, test=50, seeds=1)
    seen.append(megabytes())
print(*seen)
"""


def test_programs_are_let_go_when_there_are_many(monkeypatch):
    compiled = []
    monkeypatch.setattr(programs, "let_go", lambda: compiled.append("let go"))
    monkeypatch.setattr(programs, "_known", set())
    for n in range(1, programs.MOST_PROGRAMS + 1):
        programs.count_shape(jnp.zeros(n))
        programs.count_shape(jnp.ones(n))  # the same shape
    assert compiled == []
    programs.count_shape(jnp.zeros(programs.MOST_PROGRAMS + 1))
    assert compiled == ["let go"]
    programs.count_shape(jnp.zeros(1))
    assert compiled == ["let go"]


def test_programs_are_let_go_before_the_regions_of_memory_run_out(monkeypatch, tmp_path):
    compiled: list[str] = []
    monkeypatch.setattr(programs, "let_go", lambda: compiled.append("let go"))
    most = tmp_path / "max_map_count"
    monkeypatch.setattr(programs, "MOST_REGIONS", most)
    most.write_text("10000000\n")
    programs.make_room()
    assert compiled == []
    most.write_text("100\n")
    programs.make_room()
    assert compiled == ["let go"]
    monkeypatch.setattr(programs, "REGIONS", tmp_path / "of another system")
    programs.make_room()
    assert compiled == ["let go"]


def test_a_training_that_goes_on_while_programs_are_let_go_has_the_same_numbers():
    from featlearn.papers.glasgow2023.xor import Xor
    from featlearn.training import train

    plan = Xor(d=5, width=4, steps=6, records=6, test=20).experiment().plan
    whole = [position.records for position in train(plan, seed=0, chunk_seconds=0)]
    again = []
    for position in train(plan, seed=0, chunk_seconds=0):
        again.append(position.records)
        programs.let_go()
    assert jax.tree.all(jax.tree.map(lambda a, b: bool((a == b).all()), whole, again))


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_shapes(tmp_path):
    """It was 18 MB a shape: 450 MB more after 25 shapes, 1.1 GB after 60."""
    done = subprocess.run(
        [sys.executable, "-c", MANY, "60"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    seen = list(map(int, done.stdout.split()))
    assert max(seen) - seen[0] < 20 * programs.MOST_PROGRAMS + 100
    assert max(seen[programs.MOST_PROGRAMS :]) < max(seen[: programs.MOST_PROGRAMS]) + 100


def steps_of(ground: Playground) -> int:
    """Where its session stands, without being a question of the page."""
    session = ground._session
    assert session is not None
    return session._step


@pytest.fixture
def unwatched(monkeypatch):
    monkeypatch.setattr(playground, "PATIENCE", 0.5)
    ground = Playground()
    ground.reset({"id": "glasgow2023.xor", "values": {**SMALL, "steps": "1000000"}})
    ground.questions["start"]({})
    yield ground
    ground.close()


def test_training_rests_without_a_watcher_and_goes_on_with_one(unwatched):
    end = time.monotonic() + 60
    while steps_of(unwatched) == 0 and time.monotonic() < end:
        unwatched.state({})
        time.sleep(0.05)
    time.sleep(1.0)
    resting = steps_of(unwatched)
    time.sleep(0.5)
    assert steps_of(unwatched) == resting > 0
    assert unwatched.state({})["state"] == "running"
    end = time.monotonic() + 10
    while steps_of(unwatched) == resting and time.monotonic() < end:
        time.sleep(0.02)
    assert steps_of(unwatched) > resting


SOAK = """
import random, sys, threading, time
from featlearn.experiments.engine import prepare
from featlearn.play.playground import Playground
prepare()
def megabytes():
    return int(open("/proc/self/statm").read().split()[1]) * 4 // 1024
ground, seen, begun = Playground(), [], time.monotonic()
seconds, watched = float(sys.argv[1]), float(sys.argv[2])
number = 0
while time.monotonic() - begun < seconds:
    if number % 40 == 0:  # another shape every few seconds, as one who turns the knob of d
        d = str(10 + number // 40 % 50)
        ground.reset({"id": "glasgow2023.xor", "values": {"d": d, "steps": "100000"}})
        ground.questions["start"]({})
    ground.state({"after": 10**9})
    seen.append((megabytes(), threading.active_count()))
    number += 1
    time.sleep(watched)
ground.close()
print(*(m for m, _ in seen))
print(*(t for _, t in seen))
"""


@pytest.mark.slow
def test_ten_minutes_of_play_have_a_flat_line(tmp_path):
    """A new shape every four seconds; the second half takes no more memory than the first."""
    done = subprocess.run(
        [sys.executable, "-c", SOAK, "600", "0.1"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    memory, threads = (list(map(int, line.split())) for line in done.stdout.splitlines())
    half = len(memory) // 2
    assert max(memory[half:]) <= max(memory[:half]) + 60
    assert max(memory) < 1100
    assert max(threads) <= 6
