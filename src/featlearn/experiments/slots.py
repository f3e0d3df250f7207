"""A limited number of device slots, which go first to the waiting worker with the least progress.

If five equal tasks run on two cores, each from start to end, one core is idle for a third of the
time. So the last tasks, fewer than two per slot, are all started, and share the slots in turn: a
worker releases its slot when a waiting one has made less progress, and all end at about the same
time.
"""

import threading
from collections.abc import Callable

Stop = Callable[[], bool]


class Slots:
    """Lets at most `number` workers run at once; the waiting worker with the least progress runs
    next.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self._changed = threading.Condition()
        self._holders: set[object] = set()
        self._waiting: dict[object, tuple[float, int]] = {}
        self._order = 0

    def enter(self, worker: object, share: float, stop: Stop = lambda: False) -> None:
        """Wait for a slot; `share` is the fraction of its task that the worker has done."""
        with self._changed:
            self._order += 1
            self._waiting[worker] = (share, self._order)
            try:
                self._changed.wait_for(lambda: stop() or (self._free and self._next() is worker))
            finally:
                del self._waiting[worker]
            self._holders.add(worker)
            # If several slots were released at once, the next worker may have found that it was
            # not its turn yet, and sleeps again.
            self._changed.notify_all()

    def holds(self, worker: object) -> bool:
        """Return whether the worker has a slot."""
        with self._changed:
            return worker in self._holders

    def offer(self, worker: object, share: float, stop: Stop) -> None:
        """Release the slot and wait for a slot again, if a waiting worker has made less progress.

        `share` is the fraction of its task that this worker has done. Nothing happens if the worker
        holds no slot: it has released it while it waits for tasks that it started.
        """
        with self._changed:
            behind = any(other < share for other, _ in self._waiting.values())
            behind = behind and worker in self._holders
        if behind and not stop():
            self.leave(worker)
            self.enter(worker, share, stop)

    def leave(self, worker: object) -> None:
        """Release the slot of the worker."""
        with self._changed:
            self._holders.discard(worker)
            self._changed.notify_all()

    def wake(self) -> None:
        """Make all waiting workers check whether they have to stop."""
        with self._changed:
            self._changed.notify_all()

    def begin(self, total: int, stop: Stop) -> "LastTasks":
        """Return a counter of the unfinished tasks among `total`, which knows when only the last
        ones are left.
        """
        return LastTasks(self._changed, total, 2 * self.number, stop)

    @property
    def _free(self) -> bool:
        return len(self._holders) < self.number

    def _next(self) -> object:
        return min(self._waiting, key=lambda worker: self._waiting[worker])


class LastTasks:
    """Counts the unfinished tasks, and lets a thread wait until fewer than two per slot are
    left.
    """

    def __init__(self, changed: threading.Condition, total: int, few: int, stop: Stop) -> None:
        self._changed, self._left, self._few, self._stop = changed, total, few, stop

    def wait(self) -> None:
        """Wait until only the last tasks, or none, are left."""
        with self._changed:
            self._changed.wait_for(lambda: self._left < self._few or self._stop())

    def finished(self) -> None:
        """Count one task as finished."""
        with self._changed:
            self._left -= 1
            self._changed.notify_all()

    def exhausted(self) -> None:
        """Declare that there are no more tasks to start."""
        with self._changed:
            self._left = 0
            self._changed.notify_all()
