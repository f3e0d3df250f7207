r"""Lemma 3: norms and correlations of the neurons at the start (section 4.1).

With probability at least 1 - delta, for all neurons, and for any C_0 > 1 and unit mu,

    ||w_j|| in [1/2, 3/2] omega sqrt d,
    #{j : |<w_j, mu>| >= omega/(2 C_0)}  >=  m (1 - 1/(2 C_0) - sqrt(2 log(4/delta)/m)).

Judged at C_0 = 2 and at the proof's 5.9e10, with the worst of mu_1 and mu_2.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from featlearn.papers.frei2022.assumptions import norms_at_start
from featlearn.papers.frei2022.claim import Event, Spoilt, claim, unspoilt
from featlearn.papers.frei2022.setting import XorClusters
from featlearn.papers.frei2022.watched import C0, PROOF_C0, Watched
from featlearn.theory import Control, Statement


def facts(run: Watched, spread: float = 0.5, lost: float = 1.0) -> Sequence[Event]:
    """The lemma in one run.

    Args:
        run: the run.
        spread: how far a norm may be from omega sqrt d, relatively.
        lost: what multiplies the share of neurons that may correlate less.
    """
    config = run.config
    scale = run.norm[0] / (config.start_sd * math.sqrt(config.d))
    events = [
        Event(name="largest norm/(omega sqrt d)", measured=float(scale.max()), limit=1 + spread),
        Event(
            name="least norm/(omega sqrt d)",
            measured=float(scale.min()),
            limit=1 - spread,
            side=">=",
        ),
    ]
    for label, constant in (("2", C0), ("5.9e10", PROOF_C0)):
        large = np.abs(run.projection[0]) >= config.start_sd / (2 * constant)
        missing = 1 / (2 * constant) + math.sqrt(2 * math.log(4 / config.delta) / config.width)
        events.append(
            Event(
                name=f"neurons with |<w, mu>| >= omega/(2 C0), C0 = {label}",
                measured=float(large.sum(axis=1).min()),
                limit=config.width * (1 - lost * missing),
                side=">=",
            )
        )
    return events


def uneven(run: Watched) -> Watched:
    """A control: every third neuron is drawn with three times the standard deviation."""
    scale = np.where(np.arange(len(run.a)) % 3 == 0, 3.0, 1.0)
    return replace(run, norm=run.norm * scale, projection=run.projection * scale)


def statement(
    spread: float = 0.5, lost: float = 1.0, spoilt: Spoilt = unspoilt
) -> Statement[XorClusters]:
    """The lemma; other numbers are other claims."""
    return claim(
        "lemma-3",
        "Norms of the neurons and their correlations with a centre at the start",
        "Lemma 3, section 4.1",
        lambda run: facts(run, spread, lost),
        failures=1,
        seeds=80,
        needs=("A1", "network"),
        proof=norms_at_start,
        spoilt=spoilt,
        control=Control(
            "every third neuron has three times the standard deviation",
            lambda: statement(spoilt=uneven),
        ),
    )


STATEMENT = statement()
