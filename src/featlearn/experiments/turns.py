"""Turns: more workers than places, the least advanced first.

Five equal tasks on two cores, each worked on to its end, leave one core idle for a third of the
time. So the last ones, fewer than two a place, are all begun and take turns: whoever has come
further than one that waits gives up its place, and all end at about the same time.
"""

import threading
from collections.abc import Callable


class Turns:
    """At most `places` work at once, on `total` tasks in all."""

    def __init__(self, places: int, total: int, stopped: Callable[[], bool]) -> None:
        self._changed = threading.Condition()
        self._places, self._free, self._unfinished = places, places, total
        self._stopped, self._exhausted = stopped, False
        self._waiting: dict[int, float] = {}

    def workers(self) -> int:
        """How many there are work and turns for."""
        return max(1, min(self._unfinished, 2 * self._places - 1))

    def await_the_last(self) -> None:
        """Wait until fewer than two tasks a place are left."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._unfinished < 2 * self._places or self._exhausted or self._stopped()
            )

    def enter(self, worker: int, share: float = 0.0) -> None:
        """Wait for a place; of those who wait, the one with the least share done is next."""
        with self._changed:
            self._waiting[worker] = share
            self._changed.wait_for(
                lambda: self._stopped() or (self._free > 0 and self._next() == worker)
            )
            del self._waiting[worker]
            self._free -= 1

    def offer(self, worker: int, share: float) -> None:
        """Give up the place if one that waits has done less."""
        with self._changed:
            behind = any(other < share for other in self._waiting.values())
        if behind and not self._stopped():
            self.leave()
            self.enter(worker, share)

    def leave(self, *, finished: int = 0, exhausted: bool = False) -> None:
        """Give up the place, with a task finished or because there are no more."""
        with self._changed:
            self._free += 1
            self._unfinished -= finished
            self._exhausted |= exhausted
            self._changed.notify_all()

    def stop(self) -> None:
        """Let all who wait go on, to see that they are to stop."""
        with self._changed:
            self._changed.notify_all()

    def _next(self) -> int:
        return min(self._waiting, key=lambda worker: (self._waiting[worker], worker))
