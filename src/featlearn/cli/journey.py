"""Progress of work that has many stages: which one of how many, how far it is, the time left.

On a terminal two bars: all stages, and the one under way. In a log a line for every stage that took
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
    from featlearn.experiments.executor import Watch
    from featlearn.papers.outcome import Outcome
    from featlearn.papers.reproduce import Tell

LONG = 10.0
"""Seconds from which on a stage gets a line in a log."""


@dataclass(kw_only=True)
class Pace:
    """How long stages take, by kind, and what that makes of those to come.

    Example:
        >>> pace = Pace(kinds=["item", "statement", "statement"])
        >>> pace.end(10.0, computed=True)
        >>> pace.left(spent=2.0, share=0.5)
        6.0
    """

    kinds: Sequence[str]
    """Of every stage, in order."""
    done: int = 0
    _seconds: dict[str, list[float]] = field(default_factory=dict)

    def end(self, seconds: float, *, computed: bool) -> None:
        """The stage under way has ended."""
        if computed:
            self._seconds.setdefault(self.kinds[self.done], []).append(seconds)
        self.done += 1

    def left(self, *, spent: float, share: float = 0.0) -> float | None:
        """Seconds for the rest, where the stage under way took `spent`; None if nobody knows."""
        if self.done == len(self.kinds):
            return 0.0
        known = {kind: list(times) for kind, times in self._seconds.items()}
        now = spent / share if share > 0.05 else None
        if now is not None:
            known.setdefault(self.kinds[self.done], []).append(now)
        if not known:
            return None
        every = [seconds for times in known.values() for seconds in times]
        total = 0.0
        for place, kind in enumerate(self.kinds[self.done :]):
            times = known.get(kind, every)
            expected = now if place == 0 and now is not None else sum(times) / len(times)
            total += max(0.0, expected - spent) if place == 0 else expected
        return total


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
        self.names, self.pace = names, Pace(kinds=kinds)
        self.begun, self.share = time.perf_counter(), 0.0

    @property
    def spent(self) -> float:
        return time.perf_counter() - self.begun

    @property
    def left(self) -> str:
        return clock(self.pace.left(spent=self.spent, share=self.share))

    def __str__(self) -> str:
        """What the display asks again and again, so that the time runs while no share is told."""
        return f"left {self.left}"

    @property
    def place(self) -> str:
        done, total = self.pace.done, len(self.names)
        return f"{min(done + 1, total)} of {total}"

    def watch(self, share: float) -> None:
        """Told the share of the whole; what exceeds the stages that are done is of this one."""
        self.share = min(1.0, max(0.0, share * len(self.names) - self.pace.done))

    def tell(self, outcome: "Outcome") -> float:
        """A stage ended; gives its seconds."""
        seconds = self.spent
        self.pace.end(seconds, computed=outcome.status == "computed")
        self.begun, self.share = time.perf_counter(), 0.0
        return seconds


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
        done = state.pace.done
        bar.update(whole, description=f"{title}, {state.place}", completed=done + state.share)
        name = names[done] if done < len(names) else ""
        total = 1.0 if state.share else None  # a pulse where no share is told
        bar.update(stage, description=f"  {name}", completed=state.share, total=total)

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
    whole = bar.add_task(title, total=float(len(state.names)), left=state)
    return bar, whole, bar.add_task("", total=None, left="")


def _log(state: _Journey, outcome: "Outcome") -> None:
    place = state.place
    seconds = state.tell(outcome)
    if seconds >= LONG:
        told = f"{place}: {outcome.id} {outcome.status} in {clock(seconds)}, left {state.left}"
        print(f"featlearn: {told}", file=sys.stderr, flush=True)
