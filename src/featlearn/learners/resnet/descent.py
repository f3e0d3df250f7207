r"""Training on images: minibatches, momentum, and a penalty on images without labels.

f(x)     probabilities of the classes, softmax of the scores
L, U     images with labels, images without

    loss   = mean over a batch of L of -ln f(x)_y  +  (R1 + lam R2)(a batch of U)
    R1     = sum_j fbar_j ln fbar_j,   fbar the mean of f over the batch of U    (S equation 292)
    R2     = - mean over the batch of U of sum_j f(x)_j ln f(x)_j                (S equation 293)
    v      = momentum v + gradient + decay w                w = w - eta_t v
    eta_t  = eta (1 + cos(pi t / T)) / 2

Equations of S are those of Shi, Wei & Liang (2022). R1 is smallest when all classes are equally
frequent on U, R2 when every single prediction is certain. Both batches go through the network
together, so that batch normalisation uses the statistics of both. Epoch e visits the sample in an
order drawn from (seed, e) alone, and leaves out the last points if they do not fill a batch. So the
random numbers depend only on seed and step, and a checkpoint needs no state of a random generator.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from featlearn._check import require, require_positive
from featlearn._streams import generator
from featlearn.learners.resnet.extra import Device, Tensor, require_torch
from featlearn.learners.resnet.network import ResNet

EARLY, TRUNKS = 30, 3
"""The gradients of the first 30 steps are averaged over 3 trunks of equal length (table 7)."""

State = dict[str, dict[str, Tensor]]
"""params, running, velocity and early: name -> array or tensor."""


@dataclass(frozen=True, kw_only=True)
class Sample:
    """The images, labelled and unlabelled, on which a network is trained."""

    x: Float[np.ndarray, "images channels height width"]
    y: Int[np.ndarray, " images"]
    unlabelled: Float[np.ndarray, "others channels height width"] | None = None


@dataclass(frozen=True, kw_only=True)
class Descent:
    """The training of a network; the sample is an argument of every step."""

    network: ResNet
    steps: int
    batch: int
    eta: float
    momentum: float = 0.9
    decay: float = 5e-4
    lam: float = 1.0
    """The weight of R2 in the penalty on unlabelled images, if there are any."""
    early: bool = False
    """Whether to sum the gradients of the last filters of every block over each trunk of early
    steps."""

    def __post_init__(self) -> None:
        require(self.steps >= 1, "Descent(steps)", "at least 1", self.steps)
        require(self.batch >= 2, "Descent(batch)", "at least 2 images", self.batch)
        require_positive(self.eta, "Descent(eta)")
        require(0 <= self.momentum < 1, "Descent(momentum)", "0 to below 1", self.momentum)
        require(self.decay >= 0, "Descent(decay)", "0 or more", self.decay)

    def begin(self, *, seed: int) -> State:
        """Return the state before the first step, as NumPy arrays."""
        params = self.network.init(rng=generator(seed, "init"))
        shapes = {name: params[name].shape for name in self.network.last_filters}
        early = {name: (TRUNKS, shape[0], math.prod(shape[1:])) for name, shape in shapes.items()}
        return {
            "params": dict(params),
            "running": dict(self.network.init_running()),
            "velocity": {name: np.zeros_like(value) for name, value in params.items()},
            "early": {k: np.zeros(v, np.float32) for k, v in early.items()} if self.early else {},
        }

    def step(self, state: State, t: int, sample: Sample, *, seed: int, device: Device) -> None:
        """Carry out step t, counted from 0; the tensors of `state` are changed in place."""
        torch = require_torch("Descent")
        params, velocity = state["params"], state["velocity"]
        for value in params.values():
            value.requires_grad_(True)
        loss = self.loss(state, sample, t, seed=seed, device=device)
        gradients = torch.autograd.grad(loss, list(params.values()))
        eta = self.eta * (1 + math.cos(math.pi * t / self.steps)) / 2
        with torch.no_grad():
            for (name, value), gradient in zip(params.items(), gradients, strict=True):
                value.requires_grad_(False)
                if name in state["early"] and t < EARLY:
                    trunk = state["early"][name][t * TRUNKS // EARLY]
                    trunk += gradient.reshape(trunk.shape)
                v = velocity[name]
                v.mul_(self.momentum).add_(gradient).add_(value, alpha=self.decay)
                value.sub_(v, alpha=eta)

    def loss(self, state: State, sample: Sample, t: int, *, seed: int, device: Device) -> Tensor:
        """Return the loss of the batch of step t."""
        torch = require_torch("Descent")
        rows = batch_of(t, self.batch, len(sample.x), seed=seed, purpose="order")
        x, y = torch.from_numpy(sample.x[rows]), torch.from_numpy(sample.y[rows])
        if sample.unlabelled is not None:
            size = min(self.batch, len(sample.unlabelled))
            others = batch_of(t, size, len(sample.unlabelled), seed=seed, purpose="unlabelled")
            x = torch.cat([x, torch.from_numpy(sample.unlabelled[others])])
        params, running = state["params"], state["running"]
        scores = self.network.forward(params, running, x.to(device), training=True)
        own = scores[: len(rows)]
        loss = torch.nn.functional.cross_entropy(own, y.to(device))
        if sample.unlabelled is not None:
            loss = loss + penalty(scores[len(rows) :], self.lam)
        return loss


def penalty(scores: Tensor, lam: float) -> Tensor:
    """Return the penalty R1 + lam R2 on a batch of unlabelled images (S equations 291 to 293)."""
    torch = require_torch("penalty")
    log_f = torch.log_softmax(scores, dim=1)
    f = log_f.exp()
    mean = f.mean(dim=0)
    R1 = (mean * mean.clamp_min(1e-30).log()).sum()
    R2 = -(f * log_f).sum(dim=1).mean()
    return R1 + lam * R2


def batch_of(
    t: int, batch: int, images: int, *, seed: int, purpose: str
) -> Int[np.ndarray, " batch"]:
    """Return the indices of the images in the batch of step t.

    Example:
        >>> epoch = [batch_of(t, 2, 4, seed=0, purpose="order") for t in (0, 1)]
        >>> sorted(np.concatenate(epoch).tolist())
        [0, 1, 2, 3]
    """
    size = min(batch, images)
    epoch, place = divmod(t, images // size)
    order = generator(seed, purpose, epoch).permutation(images)
    return order[place * size : (place + 1) * size]


def epochs(number: float, batch: int, images: int) -> int:
    """Return the number of steps in `number` passes through a sample of `images` images."""
    return max(1, round(number * (images // min(batch, images))))


def on_device(state: Mapping[str, Mapping[str, Tensor]], device: Device) -> State:
    """Return a copy of the state as tensors on a device."""
    torch = require_torch("state")
    return {
        part: {name: torch.tensor(np.asarray(value), device=device) for name, value in each.items()}
        for part, each in state.items()
    }
