r"""Remark 2.1: the law of training does not see a rotation of the cube (Glasgow 2023, section 2).

If x is replaced by Q^T x with Q orthogonal, the initial law of the neurons is the same and every
gradient step commutes with Q: started from W Q on rotated data, training passes through W_t Q. So
every observable that is invariant under rotations has the same law.

Two ways of testing. *Coupled*: one gradient on the same batch, plain and rotated, in float64:
grad(W Q, x Q) = grad(W, x) Q, to rounding. *In law*: independent seeds in the standard basis and
in a rotated one; the 90 % interval of the difference of their mean observables must lie within a
tenth of the mean.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Float

from featlearn._check import require
from featlearn._streams import stream
from featlearn.distributions import Batch, Parity, rotation
from featlearn.experiments.lab import Lab
from featlearn.networks import Params, Signs, Sphere, TwoLayer
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.papers.glasgow2023.xor import XOR
from featlearn.theory import Claim, Control, Kind, Statement, identity, same_mean
from featlearn.training import gradient, loss

RESOLVE = 0.1
"""A relative difference of means that the test must be able to see."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """The networks that are trained in two bases; every seed is one in each."""

    d: int = 30
    """Input dimension."""
    width: int = 300
    """Number of neurons."""
    steps: int = 60
    """Steps of training, long enough to pass through phase 1."""

    def __post_init__(self) -> None:
        require(self.d >= 3, "d", "at least 3", self.d)
        require(self.width >= 1, "width", "at least 1 neuron", self.width)
        require(self.steps >= 2, "steps", "at least 2", self.steps)


Turn = Callable[[int], Float[Array, "inputs inputs"]]


def a_rotation(d: int) -> Float[Array, "{d} {d}"]:
    """The rotation of the remark, drawn once."""
    return rotation(d, key=stream(0, "rotation"))


def a_stretch(d: int) -> Float[Array, "{d} {d}"]:
    """No rotation: the first coordinate 5 % longer, then turned."""
    return jnp.ones(d).at[0].set(1.05)[:, None] * a_rotation(d)


def coupled(sizes: Sizes, seeds: Sequence[int], turn: Turn) -> Claim:
    """grad(W Q, x Q) = grad(W, x) Q."""
    turned, plain = [], []
    with jax.enable_x64(True):
        Q = jnp.asarray(np.asarray(turn(sizes.d), float))
        for seed in seeds:
            network = TwoLayer(
                d=sizes.d,
                width=sizes.width,
                w=Sphere(radius=0.3),
                a=Signs(size=0.3),
                scaling="mean-field",
            )
            params = network.init(key=stream(seed, "init"))
            batch = Parity(d=sizes.d).sample(4 * sizes.d, key=stream(seed, "data"))
            other = Params(w=params.w @ Q, a=params.a)
            of = loss("doubled-logistic")
            plain.append((gradient(network, of, params, batch).w @ Q).ravel())
            turned.append(gradient(network, of, other, Batch(x=batch.x @ Q, y=batch.y)).w.ravel())
        left, right = np.concatenate(turned), np.concatenate(plain)
    return identity(
        "coupled: one gradient, rotated", left, right, tolerance=1e-5, scale=np.abs(right).max()
    )


def in_law(sizes: Sizes, lab: Lab) -> list[Claim]:
    """Independent runs in two bases have the same means of invariant observables."""
    plain = replace(
        XOR.config, d=sizes.d, width=sizes.width, steps=sizes.steps, records=12, test=1000
    )
    far = [2**20 + seed for seed in lab.seeds]  # other seeds, so that the samples are independent
    first = lab.run(replace(XOR, config=plain))
    second = lab.run(replace(XOR, config=replace(plain, rotated=True)), seeds=far)
    parts = []
    for name, at in (("signal", 0.5), ("opposite", 0.5), ("test_loss", 0.75), ("signal", 1.0)):
        sample = []
        for result in (first, second):
            place = round(at * (result.dataset.sizes["step"] - 1))
            values = result.dataset[name].isel(step=place)
            sample.append(values.mean([dim for dim in values.dims if dim != "seed"]).values)
        step = int(first.dataset["step"].values[place])
        label = f"in law: mean {name} at step {step}"
        parts.append(
            same_mean(label, sample[0].astype(float), sample[1].astype(float), resolve=RESOLVE)
        )
    return parts


def statement(turn: Turn = a_rotation) -> Statement[Sizes]:
    """The remark; with a `turn` that is no rotation it is false."""

    def evidence(sizes: Sizes, lab: Lab) -> list[Claim]:
        return [coupled(sizes, lab.seeds, turn), *in_law(sizes, lab)]

    return Statement(
        id="glasgow2023.remark-2.1",
        title="Training does not see a rotation of the cube",
        kind=Kind.IDENTITY,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["remark-2.1"],
        control=Control("a stretch in the place of a rotation", lambda: statement(a_stretch)),
        seeds=20,
        place="Remark 2.1, section 2",
        references=("glasgow2023",),
    )


STATEMENT = statement()
