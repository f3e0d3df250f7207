"""Places to work at: more workers than places, the least advanced first.

Five equal tasks on two cores, each worked on to its end, leave one core idle for a third of the
time. So the last ones, fewer than two a place, are all begun and take turns: whoever has come
further than one that waits gives up its place, and all end at about the same time.
"""

import threading
from collections.abc import Callable

Stop = Callable[[], bool]


class Places:
    """At most `number` work at once; who waits is let in by the share that it has done."""

    def __init__(self, number: int) -> None:
        self.number = number
        self._changed = threading.Condition()
        self._free = number
        self._waiting: dict[object, tuple[float, int]] = {}
        self._order = 0

    def enter(self, worker: object, share: float, stop: Stop = lambda: False) -> None:
        """Wait for a place; of those who wait, the one with the least share done is next."""
        with self._changed:
            self._order += 1
            self._waiting[worker] = (share, self._order)
            self._changed.wait_for(lambda: stop() or (self._free > 0 and self._next() is worker))
            del self._waiting[worker]
            self._free -= 1

    def offer(self, worker: object, share: float, stop: Stop) -> None:
        """Give up the place if one that waits has done less."""
        with self._changed:
            behind = any(other < share for other, _ in self._waiting.values())
        if behind and not stop():
            self.leave()
            self.enter(worker, share, stop)

    def leave(self) -> None:
        """Give up the place."""
        with self._changed:
            self._free += 1
            self._changed.notify_all()

    def wake(self) -> None:
        """Let all who wait see whether they are to stop."""
        with self._changed:
            self._changed.notify_all()

    def begin(self, total: int, stop: Stop) -> "LastTasks":
        """For a list of so many tasks: tells when only the last ones are left."""
        return LastTasks(self._changed, total, 2 * self.number, stop)

    def _next(self) -> object:
        return min(self._waiting, key=lambda worker: self._waiting[worker])


class LastTasks:
    """Whether fewer than two tasks a place are left of a list."""

    def __init__(self, changed: threading.Condition, total: int, few: int, stop: Stop) -> None:
        self._changed, self._left, self._few, self._stop = changed, total, few, stop

    def wait(self) -> None:
        """Wait until only the last ones are left, or none."""
        with self._changed:
            self._changed.wait_for(lambda: self._left < self._few or self._stop())

    def finished(self) -> None:
        """One task less."""
        with self._changed:
            self._left -= 1
            self._changed.notify_all()

    def exhausted(self) -> None:
        """There are no more to begin."""
        with self._changed:
            self._left = 0
            self._changed.notify_all()
