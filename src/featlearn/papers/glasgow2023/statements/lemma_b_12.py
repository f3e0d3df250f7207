r"""Lemma B.12: minibatch gradients stay near the population's (Glasgow 2023, appendix B.2).

For a minibatch of m >= d log^2 d points, with probability 1 - d^-omega(1), for any neuron

    1.  ||grad_w L^ - grad_w L||^2 <= (d log^2 d / m) a^2
    1'. |d_i L^ - d_i L|^2         <= (log^2 d / m) a^2          for every coordinate i
    2.  |grad_a L^ - grad_a L|^2   <= (log^2 d / m) ||w||^2

(item 2 is unreadable in the scan; this is what its proof gives and its use needs). The population
gradient is a sum over all 2^d points. A trial is one minibatch and one neuron of one network; the
probability is asked to be at least 1 - 1/d, the weakest reading of 1 - d^-omega(1).
"""

from collections.abc import Sequence

import jax
import numpy as np

from featlearn._streams import stream
from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.population import REFERENCES, Net, minibatch, networks
from featlearn.papers.glasgow2023.statements.lemma_b_13 import Stepped, hypotheses, plain
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import Control, Evidence, FittedConstant, Kind, Statement, high_probability

TRIALS = 30
"""Minibatches a network."""


def ratios(config: Stepped, nets: Sequence[Net], seed: int, share: int = 1) -> np.ndarray:
    """The three left-hand sides over their right-hand sides, a row a trial.

    Minibatches have m/`share` points, whatever the right-hand sides say.
    """
    log2, m, d = np.log(config.d) ** 2, config.points, config.d
    key, rows = stream(seed, "lemma-B.12"), []
    for place, net in enumerate(nets):
        exact = net.slopes["loss"]
        for i in range(TRIALS):
            one = jax.random.fold_in(jax.random.fold_in(key, place), i)
            _, taken = net.step(config.eta, minibatch(d, max(1, m // share), one))
            j = i % len(net.a)
            gap, unit = (taken.w - exact.w)[j], log2 / m * net.a[j] ** 2
            off = (taken.a - exact.a)[j] ** 2 / (log2 / m * net.norm[j] ** 2)
            rows.append([gap @ gap / (d * unit), np.max(gap**2) / unit, off])
    return np.array(rows)


def statement(constant: float = 1.0, share: int = 1) -> Statement[Stepped]:
    """The lemma, its right-hand sides times `constant`, for minibatches of m/`share` points."""

    def evidence(config: Stepped, lab: Lab) -> Evidence:
        nets = lab.each_seed(networks, config=plain(config))
        each = zip(nets, lab.seeds, strict=True)
        found = np.concatenate([ratios(config, some, seed, share) for some, seed in each])
        names = ("1. all of grad_w", "1'. every coordinate of grad_w", "2. grad_a")
        at_least = 1 - 1 / config.d
        inside = found <= constant
        events = {"all at once": inside.all(axis=1), **dict(zip(names, inside.T, strict=True))}
        parts = [
            high_probability(
                f"{name} within its bound", int(held.sum()), len(found), at_least, of="minibatches"
            )
            for name, held in events.items()
        ]
        mean = {
            n: FittedConstant(value=float(v)) for n, v in zip(names, found.mean(0), strict=True)
        }
        return Evidence(parts=tuple(parts), constants=mean)

    return Statement(
        id="glasgow2023.lemma-B.12",
        title="Minibatch gradients stay near the population's",
        kind=Kind.HIGH_PROBABILITY,
        config=Stepped(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=TEXTS["lemma-B.12"],
        control=Control("minibatches of a sixteenth of m", lambda: statement(share=16)),
        seeds=3,
        place="Lemma B.12, appendix B.2",
        references=REFERENCES,
    )


STATEMENT = statement()
