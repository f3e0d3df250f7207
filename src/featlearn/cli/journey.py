"""Show the progress of work with many stages: how many are done, which run, the time left.

A terminal shows two bars: for all stages, and for the running ones. A log has one line for every
stage that took long. The time left is estimated from the stages that were computed, since stages
that are read from the store take no time; items and statements are counted separately, because they
differ in length.
"""

import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from featlearn.cli.output import PATIENCE

if TYPE_CHECKING:
    from featlearn.experiments.scheduler import Watch
    from featlearn.reproduction.outcome import Outcome
    from featlearn.reproduction.reproduce import Tell

SHOWN = 2
"""How many names of running stages are shown; about as many run at once."""
LONG = 10.0
"""A stage that took at least so many seconds gets a line in a log."""


@dataclass(kw_only=True)
class Pace:
    """How long stages of each kind take, and an estimate of the time left.

    Example:
        >>> pace = Pace(waiting=["statement", "statement"])
        >>> pace.end("item", 10.0)
        >>> pace.left(elapsed=5.0, under_way=0.5)  # two at once, and half of one is done
        7.5
    """

    waiting: list[str]
    """The kinds of the stages that have not ended yet."""
    _seconds: dict[str, list[float]] = field(default_factory=dict)

    def end(self, kind: str, seconds: float | None) -> None:
        """Record how many seconds a stage took; None means that it was read from the store."""
        if seconds is not None:
            self._seconds.setdefault(kind, []).append(seconds)

    def left(self, *, elapsed: float, under_way: float) -> float | None:
        """An estimate of the seconds that are left; None if there is none.

        Args:
            elapsed: seconds since the beginning.
            under_way: the finished fractions of the running stages, added up.
        """
        every = [seconds for times in self._seconds.values() for seconds in times]
        if not self.waiting:
            return 0.0
        if not every:
            return None
        means = {kind: sum(times) / len(times) for kind, times in self._seconds.items()}
        usual = sum(every) / len(every)
        work = sum(means.get(kind, usual) for kind in self.waiting)
        share = max(0.0, 1 - under_way / len(self.waiting))
        return work * share * min(1.0, elapsed / max(sum(every), 1e-9))


def clock(seconds: float | None) -> str:
    """A duration as text.

    Example:
        >>> clock(8.2), clock(75), clock(3 * 3600 + 120), clock(None)
        ('8 s', '1 min 15 s', '3 h 2 min', '?')
    """
    if seconds is None:
        return "?"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


class _Journey:
    """The state of the display, which progress and outcomes update."""

    def __init__(self, names: Sequence[str], kinds: Sequence[str]) -> None:
        self.total, self.waiting = len(names), list(zip(names, kinds, strict=True))
        self.pace = Pace(waiting=list(kinds))
        self.begun, self.share = time.perf_counter(), 0.0

    @property
    def done(self) -> int:
        return self.total - len(self.waiting)

    @property
    def left(self) -> str:
        elapsed = time.perf_counter() - self.begun
        return clock(self.pace.left(elapsed=elapsed, under_way=self.share))

    def __str__(self) -> str:
        """The text of the display, which is drawn repeatedly, so that the clock runs."""
        return f"left {self.left}"

    def watch(self, share: float) -> None:
        """Update the fraction of the whole work that is done."""
        self.share = min(float(len(self.waiting)), max(0.0, share * self.total - self.done))

    def tell(self, outcome: "Outcome") -> None:
        """Record the outcome of a stage that ended."""
        place = next(i for i, (name, _) in enumerate(self.waiting) if name == outcome.id)
        _, kind = self.waiting.pop(place)
        self.pace.waiting.remove(kind)
        self.pace.end(kind, outcome.seconds if outcome.status == "computed" else None)
        self.share = 0.0


@contextmanager
def journey(
    title: str, names: Sequence[str], kinds: Sequence[str]
) -> Iterator[tuple["Watch", "Tell"]]:
    """Show a display on stderr for work of over two seconds; `reproduce` takes the two callbacks.

    Args:
        title: the title of the whole work.
        names: the names of the stages, in order.
        kinds: the kinds of the stages; stages of one kind are assumed to take similar time.
    """
    from rich.console import Console

    console, state = Console(stderr=True), _Journey(names, kinds)
    if not console.is_terminal:
        yield state.watch, lambda outcome: _log(state, outcome)
        return
    bar, whole, stage = _bars(console, title, state)

    def show() -> None:
        done = state.done
        bar.update(whole, description=f"{title}, {done} of {state.total}", completed=done)
        names = ", ".join(name for name, _ in state.waiting[:SHOWN])
        total = len(state.waiting[:SHOWN]) if state.share else None  # a pulse without a share
        bar.update(stage, description=f"  {names}", completed=state.share, total=total)

    def watch(share: float) -> None:
        state.watch(share)
        show()

    def tell(outcome: "Outcome") -> None:
        state.tell(outcome)
        bar.reset(stage, total=None)
        show()

    show()
    later = threading.Timer(PATIENCE, bar.start)
    later.daemon = True
    later.start()
    try:
        yield watch, tell
    finally:
        later.cancel()
        later.join()
        if bar.live.is_started:
            bar.stop()


def _bars(console: Any, title: str, state: _Journey) -> tuple[Any, Any, Any]:
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}"),
    )
    bar = Progress(*columns, console=console, transient=True)
    whole = bar.add_task(title, total=float(state.total), left=state)
    return bar, whole, bar.add_task("", total=None, left="")


def _log(state: _Journey, outcome: "Outcome") -> None:
    state.tell(outcome)
    seconds = outcome.seconds or 0.0
    if outcome.status == "computed" and seconds >= LONG:
        took, place = clock(seconds), f"{state.done} of {state.total}"
        told = f"{place}: {outcome.id} {outcome.status} in {took}, left {state.left}"
        print(f"featlearn: {told}", file=sys.stderr, flush=True)
