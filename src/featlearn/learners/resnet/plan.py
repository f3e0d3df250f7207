"""Training a ResNet position by position, so that the same tasks, store and progress serve it.

`ImagePlan` is to torch what `featlearn.training.Plan` is to JAX: it yields a `Position` after every
chunk of about half a second, and goes on from one to identical bits. A position's state is what a
checkpoint keeps: weights, running numbers, momenta, sums of early gradients.

On a CPU a training has `threads` threads of torch (one by default: the tasks are shared out over
the cores instead, and the bits of a seed depend on nothing beside it). A GPU is used where there is
one, by one training at a time. Training makes torch deterministic, for the whole process.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import jax
import numpy as np
from jaxtyping import Float, PyTree

from featlearn._check import require
from featlearn.learners.resnet.descent import Descent, Sample, State, on_device
from featlearn.learners.resnet.extra import Device, Tensor, require_torch
from featlearn.training import Position
from featlearn.training.loop import CHUNK_SECONDS, Record

_GPU = threading.Lock()
JUDGED = 256
"""Images that are judged at once."""

Scores = Callable[[Float[np.ndarray, "images channels height width"]], np.ndarray]
"""Images -> scores of the classes, by the network as it stands."""
Measure = Callable[[Scores, State], Record]
"""What to record of a network as it stands."""


@dataclass(frozen=True, kw_only=True)
class ImagePlan:
    """All that training needs to know, but for the seed."""

    descent: Descent
    sample: Callable[[int], Sample]
    """The images of a seed."""
    measure: Callable[[int], Measure]
    """What is recorded of a seed's network."""
    recorded: tuple[int, ...]
    """The steps at which it is."""
    threads: int = 1

    def __post_init__(self) -> None:
        require(self.threads >= 1, "ImagePlan(threads)", "at least 1", self.threads)

    @property
    def steps(self) -> int:
        """How many."""
        return self.descent.steps

    def structure(self, phase: int, *, seed: int) -> PyTree:
        """A state of the right structure; there is one phase."""
        return self.descent.begin(seed=seed)

    def train(
        self, *, seed: int, resume: Position | None = None, chunk_seconds: float = CHUNK_SECONDS
    ) -> Iterator[Position]:
        """Train one seed; the state of a position is good until the next one is asked for."""
        device = prepared(self.threads)
        sample, measure = self.sample(seed), self.measure(seed)
        state = on_device(resume.state if resume else self.descent.begin(seed=seed), device)
        t = resume.step if resume else 0

        def position(records: dict[int, Record]) -> Position:
            return Position(phase=0, step=t, state=jax.tree.map(OnDisk, state), records=records)

        def look() -> dict[int, Record]:
            scores = scorer(self.descent, state, device)
            return {t: measure(scores, state)} if t in self.recorded else {}

        if resume is None:
            yield position(look())
        while t < self.steps:
            stop = min((each for each in self.recorded if each > t), default=self.steps)
            with _turn(device):
                clock = time.perf_counter()
                while True:
                    self.descent.step(state, t, sample, seed=seed, device=device)
                    t += 1
                    if t == stop or time.perf_counter() - clock >= chunk_seconds:
                        break
                records = look() if t == stop else {}
            yield position(records)


@dataclass(frozen=True)
class OnDisk:
    """A tensor that becomes an array only if somebody saves it."""

    tensor: Tensor

    def __array__(self, dtype: np.dtype | None = None, copy: bool | None = None) -> np.ndarray:
        array: np.ndarray = self.tensor.detach().cpu().numpy()
        return array if dtype is None else array.astype(dtype)


def prepared(threads: int) -> Device:
    """The device to train on, with torch deterministic and this thread's threads set."""
    torch = require_torch("ResNet")
    torch.use_deterministic_algorithms(True)
    torch.set_num_threads(threads)
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def scorer(descent: Descent, state: Mapping[str, Mapping[str, Tensor]], device: Device) -> Scores:
    """The network of a state as a function of arrays, normalising by its running numbers."""
    torch = require_torch("ResNet")

    def scores(x: Float[np.ndarray, "images channels height width"]) -> np.ndarray:
        parts = []
        with torch.no_grad():
            for start in range(0, len(x), JUDGED):
                batch = torch.from_numpy(np.ascontiguousarray(x[start : start + JUDGED]))
                seen = descent.network.forward(
                    state["params"], state["running"], batch.to(device), training=False
                )
                parts.append(seen.cpu().numpy())
        return np.concatenate(parts)

    return scores


class _turn:
    """Held while a chunk is computed, where there is one GPU for all threads."""

    def __init__(self, device: Device) -> None:
        self.gpu = device.type == "cuda"

    def __enter__(self) -> None:
        if self.gpu:
            _GPU.acquire()

    def __exit__(self, *_: object) -> None:
        if self.gpu:
            _GPU.release()
