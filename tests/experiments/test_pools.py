"""The same sweep in worker processes and on a Dask cluster: the same bits as here."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest

from featlearn._check import InputError
from featlearn.experiments import pools
from featlearn.papers.glasgow2023.xor import XOR
from featlearn.reproduction.sweep import sweep
from tests.experiments.sweeping import contents, run, small_sweep

OWN = """
from dataclasses import dataclass, replace
from featlearn.experiments import NamedExperiment
from featlearn.papers.glasgow2023.xor import Xor

@dataclass(frozen=True, kw_only=True)
class Mine:
    '''XOR with a step size of my own.'''
    d: int = 6
    def experiment(self):
        return Xor(d=self.d, width=4, steps=4, records=2, test=20, eta=0.25).experiment()

MINE = NamedExperiment(id="mine", title="my own", config=Mine())
"""


def test_worker_processes_give_the_bits_of_this_one(tmp_path):
    run(small_sweep(tmp_path / "here"))
    run(small_sweep(tmp_path / "there", "--workers", "2"))
    assert contents(tmp_path / "here") == contents(tmp_path / "there")


def test_an_experiment_of_the_users_own_travels_to_the_workers(tmp_path):
    (tmp_path / "mine.py").write_text(OWN)
    words = [sys.executable, "-m", "featlearn.cli.main", "sweep", "mine.py:MINE", "--over"]
    done = run(
        [*words, "d=5,6", "--seeds", "1", "--workers", "1", "--out", "store", "--json"],
        cwd=tmp_path,
    )
    assert [row["status"] for row in json.loads(done.stdout)["rows"]] == ["computed"] * 2


def test_no_scheduler_at_the_address_is_told_in_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(pools, "PATIENCE", 1.0)
    with pytest.raises(InputError, match=re.escape("Start one with `dask scheduler`.")):
        sweep(XOR, over={"eta": [0.1]}, seeds=1, out=tmp_path, cluster="tcp://127.0.0.1:1")


@pytest.fixture
def cluster(tmp_path):
    """A Dask scheduler and two workers, each started by its own command line on loopback."""
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    file = tmp_path / "scheduler.json"
    started: list[subprocess.Popen[bytes]] = []

    def start(*words: str) -> subprocess.Popen[bytes]:
        with (tmp_path / f"{len(started)}.log").open("w") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "dask", *words], stdout=log, stderr=log
            )
        started.append(process)
        return process

    local = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file)]
    start("scheduler", "--port", "0", *local)
    _wait(lambda: file.exists() and file.stat().st_size > 0)
    once = ["--no-nanny", "--nthreads", "1", "--local-directory", str(tmp_path)]
    workers = [start("worker", *local, *once) for _ in range(2)]
    yield json.loads(file.read_text())["address"], workers
    for process in started:
        process.kill()
        process.wait()


def test_a_sweep_on_a_cluster_survives_the_death_of_a_worker_bit_for_bit(tmp_path, cluster):
    address, workers = cluster
    here, there = tmp_path / "here", tmp_path / "there"
    run(small_sweep(here, points=4, steps=2500))
    words = small_sweep(there, "--cluster", address, "--json", points=4, steps=2500)
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    _wait(lambda: _busy(address, workers[0].pid))
    os.kill(workers[0].pid, signal.SIGKILL)
    told, _ = process.communicate(timeout=240)
    assert process.returncode == 0
    assert [row["status"] for row in json.loads(told)["rows"]] == ["computed"] * 4
    assert contents(here) == contents(there)


def _busy(address: str, pid: int) -> bool:
    """Whether the worker with that process id is at work on a task."""
    import distributed

    with distributed.Client(address, timeout="30s", set_as_default=False) as client:
        working = client.processing()
        pids = client.run(os.getpid)
    return any(tasks and pids.get(worker) == pid for worker, tasks in working.items())


def _wait(ready, seconds: float = 60.0) -> None:
    limit = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < limit, "waited too long"
        time.sleep(0.05)
