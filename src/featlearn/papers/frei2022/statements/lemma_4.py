r"""Lemma 4: the sets J_mu of neurons that begin on the right side of a centre (section 4.1).

    J_mu = {j : a_j > 0 for ±mu_1, a_j < 0 for ±mu_2; <w_j, mu>/||w_j|| >= 1/(3 C_0 sqrt d)}

For any C_0 > 1, if C is large enough, with probability at least 1 - delta all four have
|J_mu| >= (m/4)(1 - 1/C_0)^2. "Large enough" is in the proof m >= 16 C_0^2 log(32/delta).

Judged at C_0 = 2. With the C_0 = 5.9e10 of definition 7 the bound asks for m/4 neurons in each of
the four: a fair coin for each neuron must come out even twice. That needs some 1e23 neurons; at any
other width it happens in few runs, whose share is reported as a constant.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from featlearn.papers.frei2022.assumptions import norms_at_start, wide_enough
from featlearn.papers.frei2022.claim import Event, Spoilt, claim, unspoilt
from featlearn.papers.frei2022.setting import XorClusters
from featlearn.papers.frei2022.watched import C0, PROOF_C0, Watched
from featlearn.theory import Control, FittedConstant, Statement, spread


def facts(run: Watched, C0: float = C0, share: float = 0.25) -> Sequence[Event]:
    """The lemma in one run."""
    sizes = run.J(C0).sum(axis=1)
    return [
        Event(
            name=f"least of the four |J_mu| at C0 = {C0:.2g}",
            measured=float(sizes.min()),
            limit=share * run.config.width * (1 - 1 / C0) ** 2,
            side=">=",
        )
    ]


def literal(runs: Sequence[Watched]) -> dict[str, FittedConstant]:
    """What becomes of the proof's C_0."""
    happened = [float(facts(run, PROOF_C0)[0].happened) for run in runs]
    everywhere = [float(run.J(PROOF_C0).any(axis=0).mean()) for run in runs]
    return {
        "share of runs with |J_mu| >= (m/4)(1-1/C0)^2 at C0 = 5.9e10": spread(happened),
        "share of neurons in some J_mu at C0 = 5.9e10": spread(everywhere),
    }


def one_sided(run: Watched) -> Watched:
    """A control: every neuron begins on the side of +mu_1 and +mu_2."""
    return replace(run, projection=np.abs(run.projection))


def statement(share: float = 0.25, spoilt: Spoilt = unspoilt) -> Statement[XorClusters]:
    """The lemma; another `share` of the neurons is another claim."""
    return claim(
        "lemma-4",
        "A quarter of the neurons, nearly, begins on the right side of each centre",
        "Lemma 4, section 4.1",
        lambda run: facts(run, share=share),
        failures=1,
        seeds=80,
        constants=literal,
        needs=("A1", "A5", "network"),
        proof=lambda config: [*norms_at_start(config), *wide_enough(config, C0)],
        spoilt=spoilt,
        control=Control(
            "every neuron begins on the side of +mu", lambda: statement(spoilt=one_sided)
        ),
    )


STATEMENT = statement()
