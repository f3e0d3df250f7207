"""Does XOR need the length of the gradient, or are its signs enough? Other optimisers, my own too.

Sign descent moves every weight by eta, whatever the size of its slope (what Adam does at first), so
noise coordinates move as far as the two that matter. Expect all rules to learn, and those that
forget the length to leave far more of every neuron outside the two features. Caveat: one step size.
"""

import os

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import optax

import featlearn as fl
from featlearn.papers.glasgow2023.xor import Xor


@fl.record(numbers=("eta",))
class Sign:
    """v = eta sign(g)."""

    eta: float

    def start(self, params):
        return ()

    def move(self, gradient, memory, *, params, scale, t):
        return jax.tree.map(lambda g: self.eta * scale * jnp.sign(g), gradient), memory


toy = bool(os.environ.get("FEATLEARN_TOY"))
paper = Xor(d=10 if toy else 60, steps=5 if toy else 200).experiment()
(how,) = paper.training
rules = {"plain": how.rule, "sign": Sign(eta=0.003), "adam": fl.optax_rule(optax.adam(0.003))}
for name, rule in rules.items():
    end = fl.run(paper.replace(training=how.with_rule(rule)), seeds=1).dataset.isel(seed=0, step=-1)
    share = float((end["signal"] / end["orthogonal"]).median())
    plt.bar(name, share)
    print(f"{name:>6}: accuracy {float(end.test_accuracy):.3f}, |signal|/|rest| {share:.2f}")
plt.yscale("log"), plt.ylabel("|signal| / |rest|, median neuron")
plt.savefig("rules.pdf")
