"""The lab: what is asked for twice happens once, is shared, stored, and goes on after a kill."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import featlearn as fl
from featlearn.experiments.lab import Lab, public_name
from featlearn.experiments.scheduler import Task, execute
from featlearn.papers.glasgow2023.population import Net, Small, networks
from featlearn.results.inventory import inventory
from featlearn.results.store import collect_parents

NET = fl.TwoLayer(d=4, width=2, w=fl.Sphere(radius=0.5), a=fl.Signs(size=0.5), scaling="one")
HOW = fl.SGD(eta=0.2, batch=4, steps=1, loss=fl.logistic)
EXPERIMENT = fl.Experiment(fl.Parity(d=4), NET, HOW, record=[fl.HeldOut(samples=9)], at=(0, 1))
CALLS: list[tuple[int, int]] = []


def squares(n: int, seed: int) -> np.ndarray:
    """Squares, and a note that they were computed."""
    CALLS.append((n, seed))
    return np.arange(n) ** 2 + seed


def without_annotation(n):
    return n


@pytest.fixture(autouse=True)
def nothing_called():
    CALLS.clear()


def test_a_computation_is_stored_shared_and_read(tmp_path):
    one, two = Lab.at(tmp_path / "store"), Lab.at(tmp_path / "store")
    first = one.compute(squares, n=3, seed=100)
    assert first.tolist() == [100, 101, 104]
    assert two.compute(squares, n=3, seed=100).tolist() == first.tolist()
    assert CALLS == [(3, 100)]
    fl.Lab.at(tmp_path / "other").compute(squares, n=3, seed=100)
    assert CALLS == [(3, 100)] * 2, "another store has nothing of it"
    (entry,) = inventory(tmp_path / "store")
    assert (entry.id, entry.kind) == (public_name(squares), "computed")


def test_fresh_computes_again_but_each_thing_once(tmp_path):
    Lab.at(tmp_path / "store").compute(squares, n=2, seed=0)
    fresh = Lab.at(tmp_path / "store", fresh=True)
    for _ in range(3):
        fresh.compute(squares, n=2, seed=0)
    assert CALLS == [(2, 0)] * 2


def test_each_seed_is_computed_side_by_side_and_in_order(tmp_path):
    lab = Lab.at(tmp_path / "store", seeds=(5, 6, 7, 8))
    found = lab.each_seed(squares, n=1)
    assert [int(values[0]) for values in found] == [5, 6, 7, 8]
    assert sorted(CALLS) == [(1, seed) for seed in (5, 6, 7, 8)]


def test_records_come_back_as_they_were(tmp_path):
    config = Small(d=4, width=4, steps=8)
    straight = networks(config, 0)
    lab = Lab.at(tmp_path / "store")
    lab.compute(networks, config=config, seed=0)
    moved = shutil.copytree(tmp_path / "store", tmp_path / "moved")  # not remembered from before
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("featlearn.papers.glasgow2023.population.Weights", None)  # cannot train
        again = Lab.at(moved).compute(networks, config=config, seed=0)
    for net, other in zip(straight, again, strict=True):
        assert isinstance(other, Net)
        np.testing.assert_array_equal(net.w, other.w)
        np.testing.assert_array_equal(net.a, other.a)


def test_a_training_that_two_statements_share_happens_once(tmp_path):
    def claim(name):
        def evidence(config, lab):
            loss = lab.run(EXPERIMENT).dataset["test_loss"].values[:, -1].astype(float)
            return fl.bound(name, loss, 10.0)

        return fl.Statement(id=f"my.{name}", config=Small(d=4, width=4), evidence=evidence, seeds=2)

    store = tmp_path / "store"
    found = [fl.check(claim(name), out=store).verdict for name in ("a", "b")]
    assert found == [fl.Verdict.HOLDS] * 2
    by_id = {each.id: each for each in inventory(store)}
    run = by_id["experiment"]
    assert (run.seeds, by_id["my.a"].parents, by_id["my.b"].parents) == (
        2,
        {run.address},
        {run.address},
    )


def test_what_is_computed_inside_a_computation_is_its_parent(tmp_path):
    lab = Lab.at(tmp_path / "store")
    with collect_parents() as found:
        lab.compute(squares, n=2, seed=1)
        lab.compute(squares, n=2, seed=1)
    (entry,) = inventory(tmp_path / "store")
    assert list(found) == [entry.address]


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (lambda n: n, "expected a function of a module, got one inside another, or a lambda"),
        (without_annotation, "expected a function whose annotation says what it returns, got none"),
    ],
)
def test_what_cannot_be_kept_is_refused(function, sentence):
    with pytest.raises(fl.InputError, match=sentence):
        Lab().compute(function, n=1)


def test_a_task_gives_up_its_place_while_it_waits_for_its_own(monkeypatch):
    """Two tasks on one place, each with tasks of its own: nothing waits for ever."""
    import jax

    monkeypatch.setattr(jax, "devices", lambda: [jax.local_devices()[0]])
    working, most, guard = 0, 0, threading.Lock()

    def inner(stop, report):
        nonlocal working, most
        with guard:
            working += 1
            most = max(most, working)
        time.sleep(0.02)
        with guard:
            working -= 1
        return 1

    def outer(stop, report):
        tasks = [Task(name=i, work=inner) for i in range(3)]
        return sum(outcome.value for outcome in execute(tasks, total=3))

    tasks = [Task(name=i, work=outer) for i in range(2)]
    assert [outcome.value for outcome in execute(tasks, total=2)] == [3, 3]
    assert most == 1, "one place, one at work"


def test_the_tasks_of_one_task_have_all_places(monkeypatch):
    """As the seeds of the one statement that is checked."""
    import jax

    monkeypatch.setattr(jax, "devices", lambda: [jax.local_devices()[0]] * 2)
    both = threading.Barrier(2, timeout=20)

    def inner(stop, report):
        both.wait()
        return 1

    def outer(stop, report):
        tasks = [Task(name=i, work=inner) for i in range(2)]
        return [outcome.error for outcome in execute(tasks, total=2)]

    (found,) = execute([Task(name=0, work=outer)], total=1)
    assert found.value == [None, None]


STATEMENT = """
import dataclasses, sys, time
import numpy as np
import featlearn as fl

@dataclasses.dataclass(frozen=True, kw_only=True)
class Sizes:
    n: int = 3

def slow(n: int, seed: int) -> float:
    print("computed", seed, file=sys.stderr, flush=True)
    time.sleep(0.5)
    return n + seed / 10

def evidence(sizes, lab):
    values = np.array(lab.each_seed(slow, n=sizes.n))
    return fl.bound("n", values, 10.0)

CLAIM = fl.Statement(id="my.claim", config=Sizes(), evidence=evidence, seeds=8)
"""


@pytest.mark.parametrize(
    "how", [signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.slow)]
)
def test_what_a_statement_had_computed_survives_the_end_of_its_process(how, tmp_path: Path):
    (tmp_path / "mine.py").write_text(STATEMENT)
    words = [sys.executable, "-m", "featlearn.cli.main", "check", "mine.py:CLAIM", "--json"]

    def start():
        return subprocess.Popen(
            words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    process = start()
    assert process.stderr is not None
    seen = 0
    while seen < 4:
        seen += process.stderr.readline().startswith("computed")
    os.kill(process.pid, how)
    began = time.monotonic()
    process.communicate()
    assert process.returncode in (-signal.SIGKILL, 130)
    assert time.monotonic() - began < 20
    stored = len(
        [each for each in inventory(tmp_path / "results") if "slow" in each.id and each.parts]
    )
    assert stored >= 1
    again = start()
    out, err = again.communicate()
    assert again.returncode == 0, err
    assert err.count("computed") == 8 - stored
    assert '"measured": 3.35' in out


def test_records_that_would_not_fit_are_refused_at_the_first(tmp_path, monkeypatch):
    monkeypatch.setattr("featlearn.experiments.job.BUDGET", 20)
    with pytest.raises(fl.InputError, match=r"what is recorded: expected at most 0 MB a seed, got"):
        fl.run(EXPERIMENT, seeds=2, out=tmp_path / "store")
    assert fl.run(EXPERIMENT, seeds=2).status == "computed", "in memory there is no limit"


def test_a_computation_that_trains_nothing_does_not_rest_on_the_training_loop():
    from featlearn._source import PINNED, sources
    from featlearn.papers.glasgow2023.kernel_error import best_kernel_error
    from featlearn.papers.glasgow2023.population import networks

    kernel, trained = (sources(each, runner=PINNED) for each in (best_kernel_error, networks))
    assert "featlearn.experiments.engine" in kernel  # the settings of JAX that every one has
    assert "featlearn.baselines.exact_ntk" in kernel
    loop = {"featlearn.training.loop", "featlearn.training.descent", "featlearn._streams"}
    assert loop & set(kernel) == {"featlearn._streams"}
    assert loop <= set(trained)
