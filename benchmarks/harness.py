"""Contenders, each in a process of its own, timed in turn; the minimum of several rounds counts.

A contender is a function that prepares its work and returns a callable that does one round of it.
Its process waits between rounds, so that only one contender works at a time, and the rounds of all
are interleaved, so that a slow minute of the machine hits all alike.
"""

import importlib
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROUNDS = 7
BUSY = 0.5
"""Load average above which no timing means anything."""


@dataclass(frozen=True, kw_only=True)
class Contender:
    """A function of this folder as "module.function", its arguments, and its number of cores."""

    name: str
    arguments: tuple[int, ...]
    cores: int
    tree: Path | None = None
    """Another checkout whose code it is; None is this one."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A contender before its number of cores is decided: the best of those listed counts."""

    name: str
    arguments: tuple[int, ...]
    cores: tuple[int, ...] = (1, 2)

    tree: Path | None = None

    def on(self, cores: int) -> Contender:
        """This entry on so many cores."""
        return Contender(name=self.name, arguments=self.arguments, cores=cores, tree=self.tree)


class Process:
    """The process of one contender, ready to do rounds."""

    def __init__(self, contender: Contender) -> None:
        self.contender = contender
        words = [contender.name, str(contender.cores), *map(str, contender.arguments)]
        threads = {
            name: str(contender.cores)
            for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
        }
        tree = contender.tree
        other = {} if tree is None else {"PYTHONPATH": str(tree / "src")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.harness", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=tree,
            env={**os.environ, **threads, **other},
        )
        self._answer()

    def round(self) -> float:
        """Seconds for one unit of work."""
        return self._asked("go")

    def memory(self) -> float:
        """The most memory that the process has had so far, in MB."""
        return self._asked("memory")

    def _asked(self, word: str) -> float:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{word}\n")
        self.process.stdin.flush()
        return float(self._answer())

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()

    def _answer(self) -> str:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("= "):
                return line[2:].strip()
        raise RuntimeError(f"{self.contender} ended without an answer")


def race(contenders: Sequence[Contender], rounds: int = ROUNDS) -> dict[Contender, float]:
    """The minimum over the rounds for every contender, in seconds a unit of work."""
    processes = [Process(contender) for contender in contenders]
    best = dict.fromkeys(contenders, float("inf"))
    try:
        for _ in range(rounds):
            for process in processes:
                best[process.contender] = min(best[process.contender], process.round())
    finally:
        for process in processes:
            process.close()
    return best


def compete(*entries: Entry, rounds: int = ROUNDS) -> list[float]:
    """Seconds a unit of work of each entry, with whichever number of cores suits it best."""
    contenders = [[entry.on(cores) for cores in entry.cores] for entry in entries]
    times = race([each for several in contenders for each in several], rounds)
    return [min(times[each] for each in several) for several in contenders]


def memory(name: str, arguments: tuple[int, ...], small: tuple[int, ...], cores: int) -> float:
    """MB that a contender takes at some sizes beyond what it takes at small ones."""
    peaks = []
    for sizes in (arguments, small):
        process = Process(Contender(name=name, arguments=sizes, cores=cores))
        try:
            process.round()
            peaks.append(process.memory())
        finally:
            process.close()
    return peaks[0] - peaks[1]


def load() -> float:
    """The load average of the last minute."""
    return os.getloadavg()[0]


def serve(make: Callable[..., tuple[Callable[[], None], int]], arguments: Sequence[int]) -> None:
    """What a contender's process does: warm up, then a timed round for every line it reads."""
    work, units = make(*arguments)
    work()
    print("= ready", flush=True)
    for word in sys.stdin:
        if word.strip() == "memory":
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            print(f"= {peak / (2**20 if sys.platform == 'darwin' else 2**10)}", flush=True)
            continue
        began = time.perf_counter()
        work()
        print(f"= {(time.perf_counter() - began) / units}", flush=True)


if __name__ == "__main__":
    cores = int(sys.argv[2])
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    module, function = sys.argv[1].split(".")
    contender = getattr(importlib.import_module(f"benchmarks.{module}"), function)
    serve(contender, [int(word) for word in sys.argv[3:]])
