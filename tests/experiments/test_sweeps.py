"""Sweeps on one store: read what is there, compute the rest, count what fails."""

import json
import random
import signal
import subprocess
import time
from typing import Any

import pytest

from featlearn.experiments.scheduler import Task, execute
from featlearn.papers.glasgow2023.xor import XOR
from featlearn.reproduction.sweep import sweep
from tests.experiments.sweeping import contents, run, small_sweep

TINY: dict[str, Any] = {"d": 5, "width": 4, "steps": 4, "records": 2, "test": 20}


def test_a_sweep_is_its_runs(tmp_path):
    from featlearn.experiments.run import run as run_named

    result = sweep(
        XOR, over={"theta": [0.2, 0.3], "eta": [0.1, 0.3]}, seeds=2, out=tmp_path, **TINY
    )
    assert result.counts == {"computed": 4, "read": 0, "adopted": 0, "failed": 0}
    for point in result.points:
        alone = run_named(
            XOR, seeds=2, theta=point.config["theta"], eta=point.config["eta"], **TINY
        )
        estimate = point.estimate("test_loss")
        assert estimate is not None
        assert estimate.values == alone.summary["test_loss"].values


def test_what_the_store_has_is_read_and_more_seeds_compute_only_themselves(tmp_path, monkeypatch):
    trained = []
    original = execute

    def counting(tasks, **options):
        def counted():
            for task in tasks:
                trained.append(task.name[1])
                yield task

        return original(counted(), **options)

    monkeypatch.setattr("featlearn.experiments.sweep.execute", counting)
    over = {"eta": [0.1, 0.2, 0.3]}
    sweep(XOR, over=over, seeds=1, out=tmp_path, **TINY)
    assert len(trained) == 3
    again = sweep(XOR, over=over, seeds=1, out=tmp_path, **TINY)
    assert len(trained) == 3
    assert again.counts["read"] == 3
    more = sweep(XOR, over=over, seeds=2, out=tmp_path, **TINY)
    assert len(trained) == 6
    assert more.counts["computed"] == 3


def test_a_point_that_is_refused_is_a_row_and_the_others_go_on(tmp_path):
    result = sweep(XOR, over={"eta": [-1.0, 0.1]}, seeds=1, out=tmp_path, **TINY)
    assert [point.status for point in result.points] == ["failed", "computed"]
    assert result.points[0].config == {"eta": -1.0}
    message = "eta: expected a positive number, got -1.0."
    assert result.points[0].error == message
    table = result.csv().splitlines()
    assert len(table) == 3
    assert table[0].startswith("eta,status,hash,")


def test_a_run_that_breaks_is_a_row_and_the_others_go_on(tmp_path, monkeypatch):
    from featlearn.papers.glasgow2023.xor import Xor

    original = Xor.experiment

    def breaking(self):
        if self.eta == 0.2:
            raise MemoryError("no room")
        return original(self)

    monkeypatch.setattr(Xor, "experiment", breaking)
    result = sweep(XOR, over={"eta": [0.1, 0.2, 0.3]}, seeds=2, out=tmp_path, **TINY)
    assert [point.status for point in result.points] == ["computed", "failed", "computed"]
    assert result.points[1].error == "MemoryError: no room"


def test_a_statement_is_swept_too(tmp_path):
    result = sweep("glasgow2023.lemma-C.4", over={"d": [(3,), (4,)]}, seeds=2, out=tmp_path)
    assert [point.error for point in result.points] == ["", ""]
    assert [point.values["verdict"] for point in result.points] == ["FAILS", "FAILS"]  # as printed
    assert (
        sweep("glasgow2023.lemma-C.4", over={"d": [(3,), (4,)]}, seeds=2, out=tmp_path).counts[
            "read"
        ]
        == 2
    )


def test_tasks_are_taken_only_when_a_device_is_free():
    taken, largest = [], 0

    def tasks():
        for number in range(12):
            taken.append(number)
            yield Task(name=number, work=lambda stop, report: time.sleep(0.01))

    for ended, _ in enumerate(execute(tasks(), total=12), start=1):
        largest = max(largest, len(taken) - ended)
    import jax

    assert largest <= 2 * len(jax.devices())


def test_two_processes_share_one_store_and_compute_nothing_twice(tmp_path):
    shared, alone = tmp_path / "shared", tmp_path / "alone"
    words = small_sweep(shared, "--json", points=6)
    both = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    rows = [json.loads(process.communicate()[0])["rows"] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    computed = [{row["hash"] for row in side if row["status"] == "computed"} for side in rows]
    assert not computed[0] & computed[1]
    assert len(computed[0] | computed[1]) == 6
    run(small_sweep(alone, points=6))
    assert contents(shared) == contents(alone)


@pytest.mark.parametrize(
    "kills", [1, pytest.param(10, marks=pytest.mark.slow)], ids=["once", "ten times"]
)
def test_a_sweep_killed_at_random_moments_ends_like_one_that_was_not(tmp_path, kills):
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    words = small_sweep(killed, points=6, steps=1200)
    started = time.monotonic()
    run(small_sweep(whole, points=6, steps=1200))
    length = time.monotonic() - started
    moments = random.Random(kills)
    for _ in range(kills):
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(length * moments.uniform(0.2, 0.9))
        process.send_signal(signal.SIGKILL)
        process.wait()
    run(words)
    assert contents(killed) == contents(whole)
