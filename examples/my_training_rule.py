"""Does XOR need the length of the gradient, or are its signs enough? A training rule of your own.

Sign descent moves every weight by eta, whatever the size of its slope (what Adam does at first), so
noise coordinates move as far as the two that matter. Expect both rules to learn, and sign descent
to leave far more of every neuron outside the two features. Caveat: one step size each, one seed.
"""

# %% The rule: from a gradient to a move, memory in and memory out
import os
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import featlearn as fl
from featlearn.papers.glasgow2023.xor import XOR, Xor
from featlearn.training import Plain


@fl.record()
class Sign:
    """v = eta sign(g)."""

    def start(self, params):
        return ()

    def move(self, gradient, memory, *, eta, t):
        return jax.tree.map(lambda g: eta * jnp.sign(g), gradient), memory


# %% The paper's experiment with the rule exchanged
def with_rule(config: Xor, rule: Any, eta: float) -> fl.Experiment:
    """Everything else as in the paper: law, start, batch, what is recorded."""
    experiment = config.experiment()
    descent: Any = experiment.phases[0]
    return replace(experiment, phases=(replace(descent, rule=rule, eta=eta),))


# %% Train both
d, steps = (10, 5) if os.environ.get("FEATLEARN_TOY") else (60, 200)
config = replace(XOR.config, d=d, steps=steps)
for name, rule, eta in (("plain", Plain(), config.eta), ("sign", Sign(), 0.003)):
    plan = with_rule(config, rule, eta).plan
    *_, trained = plan.train(seed=0)
    seen = trained.records[max(trained.records)]
    share = float(np.median(seen["signal"] / seen["orthogonal"]))
    print(f"{name:>6}: accuracy {float(seen['test_accuracy']):.3f}, |signal|/|rest| {share:.2f}")
