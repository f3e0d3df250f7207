"""Does a two-layer network learn a target of my own? One file: the law, a measurement, the answer.

x ~ N(0, I), y = sign(x_1² + x_2² - r²): a disc in the plane of two directions among d. Expect the
weights to turn into that plane. Caveat: nothing here is proved, this is where one begins.
"""

import os

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt

import featlearn as fl


@fl.record(numbers=("r",))
class Disc:
    """A disc of radius r around the origin of the first two coordinates."""

    d: int
    r: float = 1.2

    def sample(self, m, *, key):
        x = jax.random.normal(key, (m, self.d))
        return fl.Batch(x=x, y=jnp.where(x[:, 0] ** 2 + x[:, 1] ** 2 > self.r**2, 1.0, -1.0))

    relevant_directions = property(lambda self: jnp.eye(2, self.d))


def disc(d: int = 30, steps: int = 2000) -> fl.Experiment:
    """A ReLU network on the disc, by SGD on fresh samples."""
    law, small, large = Disc(d=d), fl.Gaussian(sd=0.1), fl.Gaussian(sd=0.3)
    net = fl.TwoLayer(d=d, width=100, w=large, a=small, b=large, scaling="mean-field")
    how = fl.SGD(eta=0.2, batch=256, steps=steps, loss=fl.logistic)
    return fl.Experiment(law, net, how, record=[fl.HeldOut(), fl.SignalShare()], at=20)


if __name__ == "__main__":
    d, steps = (6, 20) if os.environ.get("FEATLEARN_TOY") else (30, 2000)
    result = fl.run(disc, d=d, steps=steps, seeds=2)
    print(result)
    for step in (0, -1):
        share = result.dataset["signal_share"].isel(step=step).mean()
        print(f"share of the weights in the plane: {float(share):.2f}")
    result.plot("signal_share", seed=0)  # one line per neuron
    plt.savefig("disc.pdf")
