"""pytest in a forked process: JAX and all other libraries are imported once, not for every slip.

The parent never imports featlearn, so that every child imports it anew, with its slip, and under
the hook that checks shapes. Programs that XLA has compiled are kept on disk: a slip changes one of
them, and the others are read.
"""

import contextlib
import importlib
import json
import os
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LIBRARIES = (
    "jax",
    "jax.numpy",
    "jax.ffi",
    "jax.scipy.special",
    "jax.experimental.compilation_cache.compilation_cache",
    "numpy",
    "scipy.integrate",
    "scipy.optimize",
    "scipy.sparse.linalg",
    "scipy.special",
    "scipy.stats",
    "sklearn.linear_model",
    "sklearn.svm",
    "sklearn.kernel_ridge",
    "xarray",
    "pandas",
    "hypothesis",
    "hypothesis.strategies",
    "beartype",
    "jaxtyping",
    "optax",
    "pytest",
    "xdist",
    "cloudpickle",
)
"""What tests spend their first seconds on."""
IDLE = 30.0
"""A child that does nothing ends after so many times its seconds of processor."""
MOST_MEMORY = 12 * 2**30
"""Bytes of address space a child may have: a slip may ask for an endless array."""


def warm_up(cache: Path) -> None:
    """Import the libraries, once, with a folder for what XLA compiles."""
    os.environ["JAX_COMPILATION_CACHE_DIR"] = str(cache)
    os.environ["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = "0"
    os.environ["JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES"] = "-1"
    os.environ["JAX_RAISE_PERSISTENT_CACHE_ERRORS"] = "false"
    for name in LIBRARIES:
        importlib.import_module(name)
    from hypothesis import settings

    # The same examples for every slip, and as long as they take under tracing or on a busy machine.
    settings.register_profile("mutants", deadline=None, derandomize=True, database=None)
    settings.load_profile("mutants")


@dataclass
class Child:
    """A forked process, and the pipe on which it reports."""

    pid: int
    pipe: int
    deadline: float
    started: float

    def finished(self, patience: float) -> dict[str, Any] | None:
        """Its report if it is done or out of time within `patience` seconds, else None."""
        ready, _, _ = select.select([self.pipe], [], [], patience)
        if ready:
            text = b""
            while piece := os.read(self.pipe, 1 << 16):
                text += piece
            return self._closed(json.loads(text) if text else {})
        if time.monotonic() > self.deadline:
            return self._closed({"outcome": "timeout"})
        return None

    def stop(self) -> None:
        """End it."""
        self._closed({"outcome": "stopped"})

    def _closed(self, report: dict[str, Any]) -> dict[str, Any]:
        os.close(self.pipe)
        done, status = os.waitpid(self.pid, os.WNOHANG if report else 0)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)  # its own group: the child leads a session
        if not done:
            os.waitpid(self.pid, 0)
        if not report:
            endless = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU
            report = {"outcome": "timeout" if endless else "died"}
        return report | {"seconds": round(time.monotonic() - self.started, 2)}


def start(work: Callable[[], dict[str, Any]], *, seconds: float, log: Path) -> Child:
    """Call `work` in a forked process, whose output goes to `log`, for some seconds of processor.

    Of processor, for on a busy machine the clock says nothing; one that sleeps ends as well, later.
    """
    reading, writing = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.setsid()
            os.close(reading)
            target = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(target, 1)
            os.dup2(target, 2)
            _limit(seconds)
            report = json.dumps(work()).encode()
            while report:
                report = report[os.write(writing, report) :]
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
    os.close(writing)
    now = time.monotonic()
    return Child(pid=pid, pipe=reading, deadline=now + IDLE * seconds, started=now)


def _limit(seconds: float) -> None:
    """Limit the memory and the seconds of processor of this process."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 5))
    signal.alarm(int(IDLE * seconds) + 30)  # ends it even if its parent is gone


def pytest_in(
    tree: Path, files: list[str], plugin: object, temporary: Path, *, addopts: str | None = None
) -> int:
    """Run pytest in the copy of the tree, as the gate does, up to the first failure.

    `addopts` replaces the options of pyproject.toml, where the package is imported already.
    """
    import pytest

    os.chdir(tree)
    sys.path.insert(0, str(tree / "src"))
    os.environ["PYTHONPATH"] = str(tree / "src")
    options = ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--tb=short"]
    # Hypothesis and jaxtyping are plugins of pytest, and imported before it could rewrite them.
    options += ["--hypothesis-profile=mutants", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    if addopts is not None:
        options += ["-o", f"addopts={addopts}"]
    plugins = [plugin, _ImportsByName(files)]
    return int(pytest.main([*options, f"--basetemp={temporary}", *files], plugins=plugins))


class _ImportsByName:
    """A pytest plugin that imports the modules whose examples are run, before pytest does.

    By itself pytest would make a second copy of a module that its own package imports.
    """

    def __init__(self, files: list[str]) -> None:
        own = [Path(file) for file in files if file.startswith("src/")]
        self._modules = [".".join(file.with_suffix("").parts[1:]) for file in own]

    def pytest_collection(self) -> None:
        """After the hook that checks shapes was set, before anything is collected."""
        for name in self._modules:
            # With a slip it may not be importable: then pytest says so, as of any test file.
            with contextlib.suppress(Exception):
                importlib.import_module(name)
