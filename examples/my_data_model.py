"""Does a two-layer network learn my own data model? One file: the model, the training, the answer.

x ~ N(0, I), y = sign(x_1² + x_2² - r²): a disc in the plane of two directions among d. Expect the
weights to turn into that plane. Caveat: nothing here is proved, this is where one begins.
"""

# %% The data model: who is x, what is y, and which directions carry the label
import os
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp

import featlearn as fl
from featlearn.measurements import HeldOut
from featlearn.networks import Gaussian
from featlearn.training import Descent, Fresh, Quantity, Recording, log_spaced, loss


@fl.record(numbers=("r",))
class Disc:
    """A disc of radius r around the origin of the first two coordinates."""

    d: int
    r: float = 1.2

    def sample(self, m, *, key):
        x = jax.random.normal(key, (m, self.d))
        return fl.Batch(x=x, y=jnp.where(x[:, 0] ** 2 + x[:, 1] ** 2 > self.r**2, 1.0, -1.0))


# %% A measurement: one number a neuron at every recorded step
@fl.record()
class InPlane:
    """Share of a neuron's squared length that lies in the plane."""

    @property
    def quantities(self):
        return {"in_plane": Quantity(dims=("neuron",), meaning="share of |w|² in the plane")}

    def measure(self, params, *, key):
        squares = params.w**2
        return {"in_plane": squares[:, :2].sum(axis=1) / squares.sum(axis=1)}


# %% The experiment: a frozen dataclass of plain values, so that it has flags, a name and a store
@dataclass(frozen=True, kw_only=True)
class DiscTraining:
    """A ReLU network on the disc, by SGD on fresh samples."""

    d: int = 30
    """Input dimension."""
    steps: int = 2000
    """Number of steps."""

    def experiment(self):
        law = Disc(d=self.d)
        network = fl.TwoLayer(
            d=self.d, width=100, w=Gaussian(sd=0.3), a=Gaussian(sd=0.1), b=Gaussian(sd=0.3)
        )
        about: dict[str, Any] = {"distribution": law, "network": network, "loss": loss("logistic")}
        descent = Descent(**about, data=Fresh(batch=256), steps=self.steps, eta=0.2)
        recording = Recording(
            measurements=(HeldOut(**about, samples=4000), InPlane()),
            steps=tuple(log_spaced(self.steps, 20)),
        )
        return fl.Experiment(
            network=network,
            phases=(descent,),
            recording=recording,
            summarise=lambda data: {"accuracy": data["test_accuracy"].isel(step=-1).values},
        )


DISC = fl.NamedExperiment(id="my.disc", title="A disc in a plane", config=DiscTraining())

if __name__ == "__main__":
    size: dict[str, Any] = {"d": 6, "steps": 20} if os.environ.get("FEATLEARN_TOY") else {}
    result = fl.run(DISC, seeds=2, **size)
    for step in (0, -1):
        then = result.dataset.isel(step=step).mean(["seed", "neuron"])
        print(f"step {int(then.step)}: accuracy {float(then.test_accuracy):.3f}, ", end="")
        print(f"share of the weights in the plane {float(then.in_plane):.2f}")
