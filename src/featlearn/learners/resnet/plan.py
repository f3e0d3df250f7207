"""The training plan of a ResNet, with the same interface as the plans that JAX computes.

Like `featlearn.training.Plan`, `ImagePlan` yields a `Position` after every chunk of about half a
second, and can continue from any position to identical bits, so that the same scheduler, store and
progress bar work for it. The state of a position has all that a checkpoint needs: weights, running
means and variances, momenta, and sums of early gradients.

On a CPU, training uses `threads` threads of torch. The default is one: the scheduler distributes
tasks over the cores instead, and the bits of a seed do not depend on other tasks. If there is a
GPU, one training at a time uses it. Training makes torch deterministic for the whole process.
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
SCORING_BATCH = 256
"""How many images are scored at once."""

Scores = Callable[[Float[np.ndarray, "images channels height width"]], np.ndarray]
"""A function from images to the scores of the classes, by the current network."""
Measure = Callable[[Scores, State], Record]
"""A function that measures the current network."""


@dataclass(frozen=True, kw_only=True)
class ImagePlan:
    """The training of one ResNet: everything that it needs except the seed."""

    descent: Descent
    sample: Callable[[int], Sample]
    """Seed -> the images that it is trained on."""
    measure: Callable[[int], Measure]
    """Seed -> the function that measures its network."""
    recorded: tuple[int, ...]
    """The recorded steps."""
    threads: int = 1

    def __post_init__(self) -> None:
        require(self.threads >= 1, "ImagePlan(threads)", "at least 1", self.threads)

    @property
    def steps(self) -> int:
        """The number of steps."""
        return self.descent.steps

    def structure(self, phase: int, *, seed: int) -> PyTree:
        """Return a state with the right tree structure; there is only one phase."""
        return self.descent.begin(seed=seed)

    def train(
        self, *, seed: int, resume: Position | None = None, chunk_seconds: float = CHUNK_SECONDS
    ) -> Iterator[Position]:
        """Train with one seed; the state of a position is valid until the next one is requested."""
        device = prepared(self.threads)
        sample, measure = self.sample(seed), self.measure(seed)
        state = on_device(resume.state if resume else self.descent.begin(seed=seed), device)
        t = resume.step if resume else 0

        def position(records: dict[int, Record]) -> Position:
            return Position(phase=0, step=t, state=jax.tree.map(LazyArray, state), records=records)

        def look() -> dict[int, Record]:
            scores = scorer(self.descent, state, device)
            return {t: measure(scores, state)} if t in self.recorded else {}

        if resume is None:
            yield position(look())
        while t < self.steps:
            stop = min((each for each in self.recorded if each > t), default=self.steps)
            with _GpuLock(device):
                clock = time.perf_counter()
                while True:
                    self.descent.step(state, t, sample, seed=seed, device=device)
                    t += 1
                    if t == stop or time.perf_counter() - clock >= chunk_seconds:
                        break
                records = look() if t == stop else {}
            yield position(records)


@dataclass(frozen=True)
class LazyArray:
    """A tensor that is converted to an array only when it is saved."""

    tensor: Tensor

    def __array__(self, dtype: np.dtype | None = None, copy: bool | None = None) -> np.ndarray:
        array: np.ndarray = self.tensor.detach().cpu().numpy()
        return array if dtype is None else array.astype(dtype)


def prepared(threads: int) -> Device:
    """Make torch deterministic, set its number of threads, and return the device to train on."""
    torch = require_torch("ResNet")
    torch.use_deterministic_algorithms(True)
    torch.set_num_threads(threads)
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def scorer(descent: Descent, state: Mapping[str, Mapping[str, Tensor]], device: Device) -> Scores:
    """Return the network of a state as a function of arrays, with the running statistics."""
    torch = require_torch("ResNet")

    def scores(x: Float[np.ndarray, "images channels height width"]) -> np.ndarray:
        parts = []
        with torch.no_grad():
            for start in range(0, len(x), SCORING_BATCH):
                batch = torch.from_numpy(np.ascontiguousarray(x[start : start + SCORING_BATCH]))
                seen = descent.network.forward(
                    state["params"], state["running"], batch.to(device), training=False
                )
                parts.append(seen.cpu().numpy())
        return np.concatenate(parts)

    return scores


class _GpuLock:
    """A lock for the GPU, which all threads share; on a CPU it does nothing."""

    def __init__(self, device: Device) -> None:
        self.gpu = device.type == "cuda"

    def __enter__(self) -> None:
        if self.gpu:
            _GPU.acquire()

    def __exit__(self, *_: object) -> None:
        if self.gpu:
            _GPU.release()
