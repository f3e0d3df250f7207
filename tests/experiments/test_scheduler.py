"""The last tasks take turns, and nothing waits for ever."""

import random
import sys
import threading
import time
from collections.abc import Callable, Generator

import jax
import pytest

from featlearn.experiments.scheduler import Outcome, Stop, Task, Watch, _Load, execute
from featlearn.experiments.slots import Slots


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


def entering(slots: Slots, shares: dict[object, float]) -> list[threading.Thread]:
    """Threads that wait for a slot, and end when they have one."""
    threads = [
        threading.Thread(target=slots.enter, args=(worker, share), daemon=True)
        for worker, share in shares.items()
    ]
    for count, thread in enumerate(threads, start=1):
        thread.start()
        while len(slots._changed._waiters) < count:  # type: ignore[attr-defined]
            time.sleep(0.0005)
    return threads


def test_of_two_slots_released_at_once_none_stays_free_while_somebody_waits() -> None:
    """Whoever looks first finds that another comes before it, and must be woken once more."""
    for _ in range(30):
        slots = Slots(2)
        slots.enter("a", 0.0)
        slots.enter("b", 0.0)
        threads = entering(slots, {"late": 0.9, "middle": 0.5})
        with slots._changed:  # nobody looks in between
            slots.leave("a")
            slots.leave("b")
        for thread in threads:
            thread.join(5)
        assert not any(thread.is_alive() for thread in threads), "a slot was lost"


def test_who_has_no_slot_has_none_to_offer() -> None:
    slots = Slots(1)
    slots.enter("at work", 0.0)
    (waiting,) = entering(slots, {"waiting": 0.1})
    offer = ("whose tasks are at work", 0.5, lambda: False)
    offering = threading.Thread(target=slots.offer, args=offer, daemon=True)
    offering.start()
    offering.join(5)
    assert not offering.is_alive(), "it waits for a slot that it did not have"
    waiting.join(0.1)
    assert waiting.is_alive(), "two have a slot where there is one"
    slots.leave("at work")
    waiting.join(5)
    assert not waiting.is_alive()


def test_tasks_of_tasks_that_report_progress_all_end_and_no_more_than_two_work_at_once() -> None:
    """A task hears of the progress of its own while it has no slot, and reports it on."""
    shop = Workshop()

    def task(name: int) -> Task:
        def work(stop: Stop, report: Watch) -> int:
            own = [shop.task(10 * name + place, 5) for place in range(3)]
            return len(list(execute(iter(own), total=len(own), watch=report)))

        return Task(name=name, work=work)

    found: list[Outcome] = []
    run = threading.Thread(
        target=lambda: found.extend(outcomes([task(name) for name in range(5)])), daemon=True
    )
    run.start()
    run.join(60)
    assert not run.is_alive(), "all wait, and nobody works"
    assert [outcome.value for outcome in found] == [3] * 5
    assert shop.most <= 2


def test_trees_of_tasks_all_end() -> None:
    """Threads change all the time; a lost slot stopped one of the first of these trees for ever."""
    interval = sys.getswitchinterval()
    chance = random.Random(0)
    ended: list[int] = []

    def leaf(ticks: int) -> Callable[[Stop, Watch], int]:
        def work(stop: Stop, report: Watch) -> int:
            for tick in range(ticks):
                time.sleep(chance.random() * 1e-4)
                report((tick + 1) / ticks)
            return 1

        return work

    def node(depth: int) -> Callable[[Stop, Watch], int]:
        def work(stop: Stop, report: Watch) -> int:
            inner = [depth > 1 and chance.random() < 0.5 for _ in range(chance.randint(1, 5))]
            works = [node(depth - 1) if each else leaf(chance.randint(1, 8)) for each in inner]
            own = [Task(name=place, work=each) for place, each in enumerate(works)]
            assert len(list(execute(iter(own), total=len(own), watch=report))) == len(own)
            return 1

        return work

    def trees() -> None:
        for _ in range(12):
            tasks = [Task(name=name, work=node(3)) for name in range(chance.randint(1, 6))]
            ended.append(sum(outcome.value for outcome in outcomes(tasks)) - len(tasks))

    run = threading.Thread(target=trees, daemon=True)
    sys.setswitchinterval(1e-5)
    try:
        run.start()
        run.join(120)
    finally:
        sys.setswitchinterval(interval)
    assert ended == [0] * 12, "all wait, and nobody works"


def test_devices_are_counted_over_all_threads() -> None:
    """Each execution had a lock of its own for one list, so the least was gone now and then."""
    load, errors = _Load(2), list[Exception]()

    def work() -> None:
        try:
            for _ in range(3000):
                with load.least_busy() as device:
                    assert device in (0, 1)
        except Exception as error:
            errors.append(error)

    interval = sys.getswitchinterval()
    threads = [threading.Thread(target=work) for _ in range(8)]
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert errors == []
    with load.least_busy() as first, load.least_busy() as second:
        assert {first, second} == {0, 1}
