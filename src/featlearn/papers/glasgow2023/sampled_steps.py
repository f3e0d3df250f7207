r"""Steps of SGD on trained networks: what lemmas D.11 to D.13 claim, at a zeta that runs reach.

    norm    (||w'||^2 / ||w||^2 - 1)     / (2 eta tau g_max)      largest over all neurons
    least   (gamma~_min' / gamma~_min - 1) / (2 eta tau g_max)    S: the working heavy set before
    most    (gamma~_max' / gamma~_max - 1) / (2 eta tau g_min)    the step, kept
    stay    S is heavy after the step, too                        tau = sqrt(2)/4

A trial is one minibatch for a network of phase 2, and the step is the run's own. No trained network
is signal-heavy by the letter, so the o(1) of the lemmas is read as 0.1, as in lemma 4.4, and their
d^-omega(1) as 1/d, as in lemma B.12. A minibatch of m points moves the growth of a neuron by about
1.7/sqrt m, so it has 100 d log^2 d points, a hundred times what lemma B.12 asks for. The ten trials
of a network share it: as in lemma B.12, the probability is over minibatches.
"""

import math
from typing import NamedTuple

import jax
import numpy as np

from featlearn._streams import stream
from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.near_start import TAU
from featlearn.papers.glasgow2023.population import Net, Small, minibatch, networks
from featlearn.papers.glasgow2023.watched import RHO
from featlearn.theory import Claim, Reading, high_probability

LITTLE = 0.1
"""The o(1) of the lemmas."""
BATCHES = 10
"""Minibatches a network."""
POINTS = 100.0
"""Points of a minibatch over d log^2 d, the least of lemma B.12."""


class Step(NamedTuple):
    """The quotients of one step, named as above."""

    norm: float
    least: float
    most: float
    stay: bool


def in_phase_2(net: Net, theta: float) -> bool:
    """Whether phase 1 is over, as lemma 4.1 says it: a tenth of the neurons found at every centre,
    E||w_perp + w_opp||^2 at most 4 theta^2.
    """
    found = np.mean(net.cluster & (net.signal >= theta), axis=1)
    rest = float(np.mean(net.orthogonal**2 + net.opposite**2))
    return bool(found.min() >= 0.1) and rest <= 4 * theta**2


def working_set(net: Net) -> np.ndarray:
    """S: the neurons that are nearly all signal."""
    return net.heavy(zeta=RHO, H=0.0)


def quotients(net: Net, after: Net, eta: float) -> Step:
    """What one step from `net` to `after` did, over what the lemmas allow."""
    S, unit = working_set(net), 2 * eta * TAU
    had = net.heavy_margin(S)
    # The margin that the same neurons carry at the same centres after the step.
    has = math.sqrt(2) * np.mean(net.cluster * S * np.abs(after.a) * after.signal, axis=1)
    return Step(
        norm=float(np.max((after.norm / net.norm) ** 2 - 1) / (unit * net.g.max())),
        least=float((has.min() / had.min() - 1) / (unit * net.g.max())),
        most=float((has.max() / had.max() - 1) / (unit * net.g.min())),
        stay=bool(np.all(working_set(after)[S])),
    )


def steps(config: Small, seed: int) -> tuple[Step, ...]:
    """All trials of a seed: its networks of phase 2, ten minibatches each."""
    points = math.ceil(POINTS * config.d * math.log(config.d) ** 2)
    key, found = stream(seed, "sampled steps"), []
    for place, net in enumerate(networks(config, seed)):
        if len(net.a) == 1 or not in_phase_2(net, config.theta):
            continue
        for i in range(BATCHES):
            one = jax.random.fold_in(jax.random.fold_in(key, place), i)
            after, _ = net.step(config.eta, minibatch(config.d, points, one))
            found.append(quotients(net, after, config.eta))
    return tuple(found)


def every_step(config: Small, lab: Lab) -> list[Step]:
    """The trials of all seeds."""
    return [step for some in lab.each_seed(steps, config=config) for step in some]


def surely(name: str, held: list[bool], d: int) -> tuple[Claim, ...]:
    """The claim that all trials but a share 1/d do what a lemma says; none if there is no trial."""
    if not held:
        return ()
    claim = high_probability(
        f"sampled steps of trained networks: {name}", sum(held), len(held), 1 - 1 / d, of="steps"
    )
    return (claim.under(Reading.RUN),)
