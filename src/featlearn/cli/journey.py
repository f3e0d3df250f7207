"""Progress of work that has many stages: how many are done, which are next, the time left.

On a terminal two bars: all stages, and those under way. In a log a line for every stage that took
long. The time left follows the stages that were computed, since those read from the store take
none; items and statements are counted apart, for they differ in length.
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
    from featlearn.papers.outcome import Outcome
    from featlearn.papers.reproduce import Tell

SHOWN = 2
"""Names of stages on the display: about as many are under way."""
LONG = 10.0
"""Seconds from which on a stage gets a line in a log."""


@dataclass(kw_only=True)
class Pace:
    """How long stages take, by kind, and what that makes of those to come.

    Example:
        >>> pace = Pace(waiting=["statement", "statement"])
        >>> pace.end("item", 10.0)
        >>> pace.left(elapsed=5.0, under_way=0.5)  # two at once, and half of one is done
        7.5
    """

    waiting: list[str]
    """The kinds of the stages that have not ended."""
    _seconds: dict[str, list[float]] = field(default_factory=dict)

    def end(self, kind: str, seconds: float | None) -> None:
        """A stage ended that took so long; None if it was read."""
        if seconds is not None:
            self._seconds.setdefault(kind, []).append(seconds)

    def left(self, *, elapsed: float, under_way: float) -> float | None:
        """Seconds for the rest; None if nobody knows.

        Args:
            elapsed: since the beginning.
            under_way: how much of stages that have not ended is done, in stages.
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
    """A duration for people.

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
    """The state behind the display: told shares and outcomes, it says where things are."""

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
        """What the display asks again and again, so that the time runs while no share is told."""
        return f"left {self.left}"

    def watch(self, share: float) -> None:
        """Told the share of the whole; what exceeds the stages that are done is under way."""
        self.share = min(float(len(self.waiting)), max(0.0, share * self.total - self.done))

    def tell(self, outcome: "Outcome") -> None:
        """A stage ended."""
        place = next(i for i, (name, _) in enumerate(self.waiting) if name == outcome.id)
        _, kind = self.waiting.pop(place)
        self.pace.waiting.remove(kind)
        self.pace.end(kind, outcome.seconds if outcome.status == "computed" else None)
        self.share = 0.0


@contextmanager
def journey(
    title: str, names: Sequence[str], kinds: Sequence[str]
) -> Iterator[tuple["Watch", "Tell"]]:
    """A display on stderr for work of over two seconds; give the pair to `reproduce`.

    Args:
        title: of the whole.
        names: of the stages, in order.
        kinds: of the stages: those of one kind are taken to be about as long as each other.
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
