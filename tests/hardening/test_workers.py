"""Sweeps elsewhere: killed workers, killed schedulers, Ctrl-C, addresses where nobody answers."""

import json
import logging
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, cast

import pytest

from featlearn._check import InputError
from featlearn._interrupt import SENTENCE
from featlearn.experiments import pools
from featlearn.experiments.job import ExperimentJob
from featlearn.experiments.pools import Processes
from featlearn.experiments.sweep import Claim
from tests.experiments.sweeping import contents, run, small_sweep
from tests.experiments.test_pools import _wait as wait_until
from tests.experiments.test_pools import cluster as cluster

WORKERS = ("sweep", "glasgow2023.xor", "--over", "d=100,200,300,400", "--steps", "100000")


def children(parent: int) -> list[int]:
    """The worker processes of a process, those that track resources left out."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
            command = stat.with_name("cmdline").read_text()
        except OSError:
            continue
        if int(fields[1]) == parent and "spawn_main" in command:
            found.append(int(stat.parent.name))
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


# What a killed worker was computing is given to another, without any process of ours.


def deadly(packed: tuple[str, int]) -> str:
    """What the worker does: count its tries, and die in the first ones."""
    file, times = Path(packed[0]), packed[1]
    file.write_text(file.read_text() + "x" if file.exists() else "x")
    if len(file.read_text()) <= times:
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


@pytest.mark.slow
@pytest.mark.parametrize(("times", "outcome"), [(1, "done"), (9, "failed")])
def test_the_job_of_a_killed_worker_is_tried_again_and_not_for_ever(
    times, outcome, tmp_path, monkeypatch
):
    monkeypatch.setattr(pools, "pack", lambda job: (job.identity, job.config))
    monkeypatch.setattr(pools, "compute_packed", deadly)
    jobs = [
        ExperimentJob(identity=str(tmp_path / name), config=cast(Any, dies), seeds=(0,))
        for name, dies in (("deadly", times), ("harmless", 0))
    ]
    claims = [
        Claim(place=i, job=job, entry=None, release=lambda: None) for i, job in enumerate(jobs)
    ]
    ends = Processes(workers=1).compute(iter(claims), total=2, watch=None)
    found = {claim.place: (value, error) for claim, value, error in ends}
    if outcome == "done":
        assert found == {0: ("done", None), 1: ("done", None)}
        assert (tmp_path / "deadly").read_text() == "xx"
    else:
        assert isinstance(found[0][1], InputError)
        assert "3 killed ones" in str(found[0][1])
    assert multiprocessing.active_children() == []


@pytest.mark.slow
def test_a_sweep_whose_worker_is_killed_ends_with_the_same_bits(tmp_path):
    here, there = tmp_path / "here", tmp_path / "there"
    run(small_sweep(here, points=4, steps=2500))
    words = small_sweep(there, "--workers", "2", "--json", points=4, steps=2500)
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: len(children(process.pid)) == 2)
    time.sleep(3)
    os.kill(children(process.pid)[0], signal.SIGKILL)
    told, errors = process.communicate(timeout=240)
    assert process.returncode == 0, errors
    assert "Traceback" not in errors
    assert [row["status"] for row in json.loads(told)["rows"]] == ["computed"] * 4
    assert contents(here) == contents(there)


@pytest.mark.slow
@pytest.mark.parametrize("whom", ["parent", "group"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("after", [1.0, 3.0, 8.0])
def test_an_interrupt_with_worker_processes_leaves_none_behind(whom, number, after, tmp_path):
    command = [sys.executable, "-m", "featlearn.cli.start", *WORKERS, "--workers", "2"]
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    time.sleep(after)
    started = children(process.pid)
    sent = time.perf_counter()
    if whom == "group":
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    _, told = process.communicate(timeout=60)
    assert time.perf_counter() - sent < 4
    assert process.returncode == 128 + number
    assert told.decode().strip() == SENTENCE
    wait_until(lambda: not any(map(alive, started)), 5)


@pytest.mark.slow
def test_workers_end_when_their_parent_is_killed_outright(tmp_path):
    command = [sys.executable, "-m", "featlearn.cli.start", *WORKERS, "--workers", "2"]
    with (tmp_path / "told").open("wb") as told:
        process = subprocess.Popen(command, cwd=tmp_path, stdout=told, stderr=told)
    wait_until(lambda: len(children(process.pid)) == 2)
    time.sleep(6)
    started = children(process.pid)
    process.kill()
    process.wait()
    wait_until(lambda: not any(map(alive, started)), 5)


# Dask.


def test_no_logger_of_the_scheduler_writes_to_the_terminal():
    """Those of its modules have levels of their own, which the package's does not change."""
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
    before = [each.level for each in loggers]
    try:
        for each in loggers:
            each.setLevel(logging.WARNING)
        pools._silence("distributed")
        assert not any(each.isEnabledFor(logging.CRITICAL) for each in loggers)
    finally:
        for each, level in zip(loggers, before, strict=True):
            each.setLevel(level)


@pytest.mark.slow
@pytest.mark.parametrize("after", [3.0, 6.0])
def test_ctrl_c_of_a_sweep_on_a_cluster_ends_it(after, tmp_path, cluster):
    address, _ = cluster
    command = [sys.executable, "-m", "featlearn.cli.start", *WORKERS, "--cluster", address]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE)
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    sent = time.perf_counter()
    _, told = process.communicate(timeout=60)
    assert time.perf_counter() - sent < 4
    assert process.returncode == 130
    assert told.decode().strip() == SENTENCE


@pytest.mark.slow
def test_a_killed_scheduler_is_a_failure_of_every_point_and_exit_code_1(tmp_path):
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    file = tmp_path / "scheduler.json"
    words = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file)]
    with (tmp_path / "log").open("w") as log:
        scheduler = subprocess.Popen(
            [sys.executable, "-m", "dask", "scheduler", "--port", "0", *words],
            stdout=log,
            stderr=log,
        )
    try:
        wait_until(lambda: file.exists() and file.stat().st_size > 0)
        address = json.loads(file.read_text())["address"]
        sweep = small_sweep(tmp_path / "s", "--cluster", address, "--json", points=2)
        process = subprocess.Popen(
            sweep, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )  # no worker, so that it waits
        time.sleep(8)
        scheduler.kill()
        told, errors = process.communicate(timeout=120)
    finally:
        scheduler.kill()
        scheduler.wait()
    assert process.returncode == 1, errors
    assert "Traceback" not in errors
    assert [row["status"] for row in json.loads(told)["rows"]] == ["failed"] * 2


def test_a_silent_address_has_a_time_limit(tmp_path, monkeypatch):
    import socket

    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    monkeypatch.setattr(pools, "PATIENCE", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        began = time.perf_counter()
        with pytest.raises(InputError, match=r"of a running Dask scheduler, .* got TimeoutError"):
            pools._connect(address)
        assert time.perf_counter() - began < 10
