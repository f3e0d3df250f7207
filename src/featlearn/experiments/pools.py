"""Pools that compute a sweep outside this process: in worker processes, or on a Dask cluster.

A worker computes a whole job in its own process with one device and sends back the value. The
caller writes the store, so that workers need no access to it. Workers are spawned, never forked.
"""

import concurrent.futures as futures
import contextlib
import itertools
import logging
import multiprocessing
import os
import pickle
import queue
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any

from featlearn._check import InputError, is_whole, require
from featlearn._interrupt import raise_if_interrupted, watching
from featlearn._source import sources, users_modules
from featlearn.experiments.engine import prepare
from featlearn.experiments.job import Job
from featlearn.experiments.run import compute
from featlearn.experiments.scheduler import Watch
from featlearn.experiments.sweep import Claim
from featlearn.training.engine import choose_engine, own_cores, resolved_engine

INSTALL_HINT = "Give `pip install -e '.[cluster]'` in the checkout."
EXPECTED_ADDRESS = "the address of a running Dask scheduler, such as tcp://127.0.0.1:8786"
START_HINT = "Start one with `dask scheduler`."
PATIENCE = 10.0
"""Seconds to wait for a scheduler to answer."""
CLOSING = 1.0
"""Seconds to say goodbye to a scheduler."""
MOST_WORKERS = 256
TRIES = 3
"""A job whose worker was killed so many times is not tried again."""
ALIVE = "a worker process that lives until its job is done"
MEMORY = "The machine may be short of memory: use fewer workers."
_ADDRESS = re.compile(r"(tcp|tls|ws|wss|ucx)://\S+:\d{1,5}")
DEVICES = 1
"""The number of devices of a worker process: it works on one task at a time."""


def pack(job: Job) -> bytes:
    """Serialise a job for a worker, together with the modules that the user wrote; return the
    bytes.
    """
    import cloudpickle

    for module in users_modules(job.config, job.code()):
        if module.__name__ != "__main__":  # cloudpickle sends __main__ by value anyway
            cloudpickle.register_pickle_by_value(module)
    packed: bytes = cloudpickle.dumps((job, _own_source(job), resolved_engine()))
    return packed


def compute_packed(packed: bytes) -> Any:
    """Compute a serialised job and return its value; refuse it if this worker has other code than
    the sender.
    """
    job, source, engine = pickle.loads(packed)
    require(
        _own_source(job) == source,
        "worker",
        "the code of the machine that sent the job",
        "other code of featlearn",
        "Install the same version there.",
    )
    choose_engine(engine, where="worker")
    return compute(job, None)


def _own_source(job: Job) -> dict[str, str]:
    """Return the modules of featlearn that a job uses, name -> digest; modules of the user travel
    inside the packed job.
    """
    found = sources(job.code())
    return {name: digest for name, digest in found.items() if name.startswith("featlearn.")}


def _begin(devices: int, cores: int) -> None:
    """Initialise a worker process, which ignores Ctrl-C because its parent process handles it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_parent, daemon=True).start()
    prepare(devices, cores)


def _end_with_parent() -> None:
    """End this worker process when the process that started it has ended, even if that was
    killed.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@dataclass(frozen=True, kw_only=True)
class Processes:
    """A pool of worker processes on this machine."""

    workers: int

    def __post_init__(self) -> None:
        require(is_whole(self.workers), "--workers", "a whole number", repr(self.workers))
        require(self.workers >= 1, "--workers", "at least 1", self.workers)
        require(self.workers <= MOST_WORKERS, "--workers", f"at most {MOST_WORKERS}", self.workers)

    def compute(
        self, claims: Iterator[Claim], *, total: int, watch: Watch | None
    ) -> Generator[tuple[Claim, object, Exception | None], None, None]:
        """Compute the claims and yield (claim, value, error); each worker holds two jobs at a time.

        The second job is there so that no worker waits for this process to hand out the next. When
        a worker is killed, all workers are started anew and receive the unfinished jobs again. A
        job that loses its worker `TRIES` times fails.
        """
        waiting, losses = claims, dict[int, int]()
        while True:
            lost: list[Claim] = []
            yield from self._with_workers(waiting, lost, total=total, watch=watch)
            if not lost:
                return
            again = []
            for claim in lost:
                losses[claim.place] = losses.get(claim.place, 0) + 1
                if losses[claim.place] < TRIES:
                    again.append(claim)
                else:
                    yield claim, None, InputError("worker", ALIVE, f"{TRIES} killed ones", MEMORY)
            waiting = itertools.chain(again, claims)

    def _with_workers(
        self, claims: Iterator[Claim], lost: list[Claim], *, total: int, watch: Watch | None
    ) -> Generator[tuple[Claim, Any, Exception | None], None, None]:
        """Compute until the claims end or a worker dies; append to `lost` the claims that died with
        the worker.
        """
        _start_tracker()
        context = multiprocessing.get_context("spawn")
        share = (DEVICES, max(1, own_cores() // self.workers))
        with futures.ProcessPoolExecutor(
            self.workers, mp_context=context, initializer=_begin, initargs=share
        ) as pool:

            def submit(job: Job) -> futures.Future[Any]:
                with _sigint_held():
                    return pool.submit(compute_packed, pack(job))

            try:
                yield from _submit(
                    submit, claims, most=2 * self.workers, total=total, watch=watch, lost=lost
                )
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                for child in multiprocessing.active_children():
                    child.kill()  # a worker saves nothing, and its job may take hours
                raise


def _start_tracker() -> None:
    """Start Python's resource tracker, the process that removes semaphores left behind by workers.

    After an interrupt this process ends at once and leaves the semaphores to the tracker. It is
    started such that it removes them without a warning.
    """
    from multiprocessing import resource_tracker

    option = "ignore::UserWarning:multiprocessing.resource_tracker"
    sys.warnoptions.append(option)
    try:
        resource_tracker.ensure_running()
    finally:
        sys.warnoptions.remove(option)


@contextlib.contextmanager
def _sigint_held() -> Iterator[None]:
    """Block Ctrl-C inside a `with` block, so that a process started there cannot receive it before
    `_begin` runs.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@dataclass(frozen=True, kw_only=True)
class Cluster:
    """A pool that computes on a running Dask scheduler."""

    address: str
    most: int = 200
    """The largest number of jobs submitted at once; each keeps the lock file of its entry open."""

    def __post_init__(self) -> None:
        is_one = isinstance(self.address, str) and _ADDRESS.fullmatch(self.address) is not None
        require(
            is_one, f"--cluster {self.address}", EXPECTED_ADDRESS, repr(self.address), START_HINT
        )

    def compute(
        self, claims: Iterator[Claim], *, total: int, watch: Watch | None
    ) -> Generator[tuple[Claim, object, Exception | None], None, None]:
        """Compute the claims; Dask runs a job again on another worker when its worker dies."""
        client = _connect(self.address)
        try:
            yield from _submit(
                lambda job: _Remote(client.submit(compute_packed, pack(job), pure=False)),
                claims,
                most=self.most,
                total=total,
                watch=watch,
            )
        finally:
            with contextlib.suppress(Exception):  # of a scheduler that is gone
                client.close(timeout=CLOSING)


class _Remote(futures.Future):  # type: ignore[type-arg]
    """A Dask future wrapped as a future of the standard library, so that both pools wait in the
    same way.
    """

    def __init__(self, future: Any) -> None:
        super().__init__()
        self.set_running_or_notify_cancel()
        self._dask = future
        future.add_done_callback(self._finish)

    def _finish(self, future: Any) -> None:
        try:
            self.set_result(future.result())
        except Exception as error:
            self.set_exception(error)
        except BaseException as error:  # cancelled, as when the scheduler is gone
            got = type(error).__name__
            self.set_exception(InputError("--cluster", "a scheduler that goes on", got, START_HINT))


def _submit(
    submit: Callable[[Job], futures.Future[object]],
    claims: Iterator[Claim],
    *,
    most: int,
    total: int,
    watch: Watch | None,
    lost: list[Claim] | None = None,
) -> Generator[tuple[Claim, object, Exception | None], None, None]:
    """Submit claims, at most `most` at a time, and yield (claim, value, error) as they end; if
    `lost` is given, claims whose worker died are appended to it instead.
    """
    with watching():
        yield from _wait(submit, claims, most, total, watch, lost)


def _wait(
    submit: Callable[[Job], futures.Future[object]],
    claims: Iterator[Claim],
    most: int,
    total: int,
    watch: Watch | None,
    lost: list[Claim] | None,
) -> Generator[tuple[Claim, object, Exception | None], None, None]:
    running: dict[futures.Future[object], Claim] = {}
    done = 0
    more = True
    while more or running:
        raise_if_interrupted()
        while more and len(running) < most:
            claim = next(claims, None)
            if claim is None:
                more = False
                continue
            try:
                running[submit(claim.job)] = claim
            except futures.BrokenExecutor:
                if lost is None:
                    raise
                lost.append(claim)
                more = False
        finished, _ = futures.wait(running, timeout=0.2, return_when=futures.FIRST_COMPLETED)
        for future in finished:
            claim = running.pop(future)
            error = future.exception()
            if isinstance(error, futures.BrokenExecutor) and lost is not None:
                lost.append(claim)
                more = False
                continue
            if error is not None and not isinstance(error, Exception):
                raise error
            done += len(getattr(claim.job, "seeds", (0,)))
            yield claim, None if error else future.result(), error
        if watch:
            watch(min(1.0, done / max(1, total)))


def _connect(address: str) -> Any:
    try:
        import distributed
    except ImportError:
        raise InputError(
            "--cluster", "the extra `cluster`", "none installed", INSTALL_HINT
        ) from None
    _silence("distributed", "tornado", "asyncio")
    answers: queue.Queue[Any] = queue.Queue()

    def ask() -> None:
        try:
            client: Any = distributed.Client
            answers.put(client(address, timeout=PATIENCE, set_as_default=False))
        except BaseException as error:  # whatever answers at an address that is no scheduler's
            answers.put(error)

    # In a thread of its own: to one who takes a connection and says nothing Dask listens for ever.
    threading.Thread(target=ask, daemon=True).start()
    found = _answer(answers, PATIENCE + 1.0)
    if isinstance(found, BaseException):
        raise InputError(
            f"--cluster {address}", EXPECTED_ADDRESS, type(found).__name__, START_HINT
        ) from None
    return found


def _silence(*packages: str) -> None:
    """Keep the log messages of the packages off the terminal, including loggers that set their own
    level.
    """
    below = [each for each in logging.root.manager.loggerDict if each.split(".")[0] in packages]
    for name in (*packages, *below):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)


def _answer(answers: "queue.Queue[Any]", seconds: float) -> Any:
    """Return the first item of a queue, or return a `TimeoutError` if none arrives within
    `seconds`.
    """
    until = time.monotonic() + seconds
    with watching():
        while time.monotonic() < until:
            raise_if_interrupted()
            with contextlib.suppress(queue.Empty):
                return answers.get(timeout=0.1)
    return TimeoutError()
