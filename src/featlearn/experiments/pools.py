"""Other places to compute a sweep: worker processes on this machine, or a Dask cluster.

A worker computes a whole job in its own process with one device and sends back the value; the
caller writes the store, so that workers need not see it. Workers are spawned, never forked.
"""

import concurrent.futures as futures
import multiprocessing
import pickle
import re
import signal
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any

from featlearn._check import InputError, require
from featlearn._interrupt import raise_if_interrupted, watching
from featlearn._source import sources, users_modules
from featlearn.experiments.engine import prepare
from featlearn.experiments.job import Job
from featlearn.experiments.run import compute
from featlearn.experiments.scheduler import Watch
from featlearn.experiments.sweep import Claim
from featlearn.training.engine import choose_engine, own_cores, resolved_engine

HOW = "Give `pip install -e '.[cluster]'` in the checkout."
ADDRESS = "the address of a running Dask scheduler, such as tcp://127.0.0.1:8786"
START = "Start one with `dask scheduler`."
PATIENCE = 10.0
"""Seconds to wait for a scheduler to answer."""
DEVICES = 1
"""Devices of a worker process: one task at a time."""


def pack(job: Job) -> bytes:
    """A job as bytes that a worker can open, a user's own module included."""
    import cloudpickle

    for module in users_modules(job.config, job.code()):
        if module.__name__ != "__main__":  # what is typed travels by value anyway
            cloudpickle.register_pickle_by_value(module)
    packed: bytes = cloudpickle.dumps((job, _own_source(job), resolved_engine()))
    return packed


def compute_packed(packed: bytes) -> Any:
    """What a worker does, if it has the code and the engine of whoever sent the job."""
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
    """The modules of featlearn behind a job, each with its digest; the user's travel with it."""
    found = sources(job.code())
    return {name: digest for name, digest in found.items() if name.startswith("featlearn.")}


def _begin(devices: int, cores: int) -> None:
    """What a worker does first: Ctrl-C is its parent's to answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    prepare(devices, cores)


@dataclass(frozen=True, kw_only=True)
class Processes:
    """Worker processes on this machine."""

    workers: int

    def __post_init__(self) -> None:
        require(self.workers >= 1, "--workers", "at least 1", self.workers)

    def compute(
        self, claims: Iterator[Claim], *, total: int, watch: Watch | None
    ) -> Generator[tuple[Claim, object, Exception | None], None, None]:
        """Two jobs a worker are under way at once, so that none waits for us."""
        context = multiprocessing.get_context("spawn")
        share = (DEVICES, max(1, own_cores() // self.workers))
        with futures.ProcessPoolExecutor(
            self.workers, mp_context=context, initializer=_begin, initargs=share
        ) as pool:
            try:
                yield from _submit(
                    lambda job: pool.submit(compute_packed, pack(job)),
                    claims,
                    most=2 * self.workers,
                    total=total,
                    watch=watch,
                )
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


@dataclass(frozen=True, kw_only=True)
class Cluster:
    """An existing Dask scheduler."""

    address: str
    most: int = 200
    """How many jobs are with the scheduler at once; each holds a file open, its lock."""

    def __post_init__(self) -> None:
        is_one = re.fullmatch(r"\w+://\S+:\d+", self.address) is not None
        require(is_one, f"--cluster {self.address}", ADDRESS, repr(self.address), START)

    def compute(
        self, claims: Iterator[Claim], *, total: int, watch: Watch | None
    ) -> Generator[tuple[Claim, object, Exception | None], None, None]:
        """The scheduler runs a job again elsewhere when its worker dies."""
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
            client.close()


class _Remote(futures.Future):  # type: ignore[type-arg]
    """A Dask future as one of the standard library, so that both pools wait the same way."""

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


def _submit(
    submit: Callable[[Job], futures.Future[object]],
    claims: Iterator[Claim],
    *,
    most: int,
    total: int,
    watch: Watch | None,
) -> Generator[tuple[Claim, object, Exception | None], None, None]:
    with watching():
        yield from _wait(submit, claims, most, total, watch)


def _wait(
    submit: Callable[[Job], futures.Future[object]],
    claims: Iterator[Claim],
    most: int,
    total: int,
    watch: Watch | None,
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
            else:
                running[submit(claim.job)] = claim
        finished, _ = futures.wait(running, timeout=0.2, return_when=futures.FIRST_COMPLETED)
        for future in finished:
            claim = running.pop(future)
            done += len(getattr(claim.job, "seeds", (0,)))
            error = future.exception()
            if error is not None and not isinstance(error, Exception):
                raise error
            yield claim, None if error else future.result(), error
        if watch:
            watch(done / max(1, total))


def _connect(address: str) -> Any:
    try:
        import distributed
    except ImportError:
        raise InputError("--cluster", "the extra `cluster`", "none installed", HOW) from None
    try:
        client: Any = distributed.Client
        return client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise InputError(f"--cluster {address}", ADDRESS, type(error).__name__, START) from None
