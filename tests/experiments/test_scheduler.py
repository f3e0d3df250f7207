"""The last tasks take turns, and nothing waits for ever."""

import time
from collections.abc import Generator

import jax
import pytest

from featlearn.experiments.scheduler import Outcome, Stop, Task, Watch, execute


class Workshop:
    """Tasks that tick, and what was seen of them: who ticked in which order, how many at once."""

    def __init__(self) -> None:
        self.ticks: list[int] = []
        self.working: set[int] = set()
        self.most = 0

    def task(self, name: int, ticks: int) -> Task:
        def work(stop: Stop, report: Watch) -> int:
            for tick in range(ticks):
                self.working.add(name)
                self.most = max(self.most, len(self.working))
                time.sleep(0.01)
                self.ticks.append(name)
                self.working.discard(name)
                report((tick + 1) / ticks)
            return name

        return Task(name=name, work=work)


def ticking(name: int, ticks: int) -> Task:
    return Workshop().task(name, ticks)


def outcomes(tasks: list[Task]) -> list[Outcome]:
    return list(execute(iter(tasks), total=len(tasks)))


@pytest.fixture(autouse=True)
def two_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on two cores, whatever the machine has."""
    monkeypatch.setattr(jax, "devices", lambda: [jax.local_devices()[0]] * 2)


def test_the_last_three_on_two_devices_go_on_side_by_side() -> None:
    """Each to its end, the third would begin when one of the others is done."""
    shop = Workshop()
    values = outcomes([shop.task(name, 30) for name in range(3)])
    assert sorted(outcome.value for outcome in values) == [0, 1, 2]
    assert shop.most <= 2, "more tasks than devices worked at once"
    half_way = shop.ticks[:45]
    assert min(half_way.count(name) for name in range(3)) >= 10, "one was left for the end"


def test_of_many_only_the_last_take_turns() -> None:
    """The first ones are worked on to their end, so that few are held in memory."""
    shop = Workshop()
    outcomes([shop.task(name, 10) for name in range(7)])
    before = shop.ticks[: shop.ticks.index(2)]
    assert 10 in (before.count(0), before.count(1)), "a third was begun beside the first two"


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 9])
def test_every_task_ends_once(count: int) -> None:
    values = outcomes([ticking(name, 3) for name in range(count)])
    assert sorted(outcome.value for outcome in values) == list(range(count))


def test_fewer_tasks_than_were_announced() -> None:
    """As when others hold the rest of a sweep: those who wait for the last ones go home."""
    tasks = [ticking(name, 2) for name in range(3)]
    assert len(list(execute(iter(tasks), total=50))) == 3


def test_a_failure_releases_its_slot() -> None:
    def fail(stop: Stop, report: Watch) -> None:
        report(0.5)
        raise ValueError("planted")

    tasks = [Task(name=-1, work=fail), *(ticking(name, 3) for name in range(4))]
    ends = list(execute(iter(tasks), total=len(tasks)))
    assert len(ends) == 5
    assert [str(end.error) for end in ends if end.error] == ["planted"]


def test_a_task_that_waits_for_a_slot_stops_as_well() -> None:
    """Leaving early stops tasks that work and tasks that wait."""

    def until_stopped(stop: Stop, report: Watch) -> None:
        for tick in range(10_000):
            time.sleep(0.002)
            report(tick / 10_000)
            if stop():
                return

    tasks = [Task(name=-1, work=lambda stop, report: None)]
    tasks += [Task(name=name, work=until_stopped) for name in range(3)]
    began = time.monotonic()
    work = execute(iter(tasks), total=len(tasks))
    next(work)
    assert isinstance(work, Generator)
    work.close()
    assert time.monotonic() - began < 5
