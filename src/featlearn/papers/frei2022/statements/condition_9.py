r"""Condition 9, neuron alignment: neurons of J_mu see all of mu and none of -mu (section 4.2).

    for all j in J_mu:   w_j.x > 0 for every x of the cluster mu,   w_j.x <= 0 for every x of -mu

Lemma 13 says that it holds at t = 1, …, 1/(4 alpha), with probability at least 1 - 4 delta.
J_mu is taken with C_0 = 2; with the proof's C_0 it has every neuron of the right sign, also those
that begin nearly orthogonal to mu and may go over to -mu: how many do not align is a constant.
"""

from collections.abc import Sequence

import numpy as np

from featlearn.measurements import aligned
from featlearn.papers.frei2022.assumptions import good_run, persistent
from featlearn.papers.frei2022.claim import Broken, Event, claim, frozen, unbroken
from featlearn.papers.frei2022.setting import XorClusters
from featlearn.papers.frei2022.watched import C0, PROOF_C0, Watched
from featlearn.theory import Control, FittedConstant, Statement, spread


def misaligned(run: Watched, t: int, C0: float = C0) -> float:
    """The share of the neurons of all J_mu that do not align at time t."""
    J = run.J(C0)
    return float((~aligned(run.on(t), J)).sum() / max(1, J.sum()))


def facts(run: Watched, times: Sequence[int]) -> Sequence[Event]:
    """The condition in one run, at these times."""
    worst = max(misaligned(run, t) for t in times)
    told = f"t = {times[0]}" if len(times) == 1 else f"t = {times[0]}, …, {times[-1]}"
    return [Event(name=f"share of J_mu not aligned, {told}", measured=worst, limit=0.0)]


def until(run: Watched) -> int:
    """1/(4 alpha): the last time but one."""
    return run.config.total_steps - 1


def constants(runs: Sequence[Watched]) -> dict[str, FittedConstant]:
    """The same with the proof's C_0, and at the start."""
    later = [max(misaligned(r, t, PROOF_C0) for t in range(1, until(r) + 1)) for r in runs]
    return {
        "share not aligned at C0 = 5.9e10": spread(later),
        "share of runs all aligned at C0 = 5.9e10": spread([float(v == 0) for v in later]),
        "share not aligned at t = 0": FittedConstant(
            value=float(np.mean([misaligned(run, 0) for run in runs]))
        ),
    }


def statement(first: int = 1, broken: Broken = unbroken) -> Statement[XorClusters]:
    """The condition from a first time on; `first` = 0 is another claim, and false."""
    return claim(
        "condition-9",
        "Neuron alignment: on for all of one's own cluster, off for all of the opposite one",
        "Condition 9, section 4.2",
        lambda run: facts(run, range(first, until(run) + 1)),
        constants=constants,
        proof=lambda config: [*good_run(config), *persistent(config)],
        broken=broken,
        control=Control("the first layer is frozen", lambda: statement(broken=frozen)),
    )


STATEMENT = statement()
