r"""What the text has wrong, each with its smallest counterexample and what is meant.

A calculator: numbers as printed beside the true ones. None of them touches what the theorem claims.

    A.2.1   E |I_nu(k) - I_-nu(k)|^l = 1/2, printed 1/4 (and E I_nu(k) = 1/4, printed n/4): the
            variance of the imbalance is n/2, and B4 has 2 Phi(-sqrt2 t) in the place of 2 Phi(-2t)
    A.20    the last term is sqrt(eps log n), printed sqrt(n eps log n)
    A.26    c - n - (c' - n')/2, printed without the minus; (1/8 - 5 eta) n >= n/9 needs C >= 360
    D'4     "equivalent to D4" has lost n_nu
    4.2     alignment bounds max(d_nu, d_-nu); below A.12 only d_-nu, in A.5.2 only d_nu
    A.88    f is near alpha ||mu||^2 e/(4n); from A.89 on it is divided by 2n
    A.15    (1 - 4/(C n))^n >= 1 - 4/(C n), meant 1 - 4/C
    4.6     independence of the b_j; 4.7: t = 1
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from featlearn.experiments.lab import Lab
from featlearn.papers.xu2023.setting import REFERENCES, AssumptionsMet
from featlearn.papers.xu2023.statements.lemma_4_7 import growth
from featlearn.papers.xu2023.texts import TEXTS
from featlearn.papers.xu2023.watched import LABELS, OPPOSITE, Watched, watch
from featlearn.theory import Claim, Kind, Statement, reported


def one_step_factor(config: AssumptionsMet, lab: Lab) -> float:
    """c in f(nu) = alpha ||mu||^2 e_nu/(c n) after one step, by least squares."""
    claimed, found = [], []
    for run in lab.each_seed(watch, config=replace(config.setting(), steps=1)):
        net = run.clean - run.flipped
        e = (net - net[OPPOSITE]) / 2 * LABELS
        claimed += list(e / config.samples)
        found += list(LABELS * run.expected[run.at(1)])
    x, y = np.asarray(claimed), np.asarray(found)
    return float((x @ x) / (x @ y))


def differences() -> np.ndarray:
    """The values of I_nu(k) - I_-nu(k) for the four clusters a point can be in."""
    return np.array([1, -1, 0, 0])


def evidence(config: AssumptionsMet, lab: Lab) -> list[Claim]:
    """Printed beside true."""
    n = config.samples
    runs = lab.each_seed(watch, config=config.setting())
    one = float(np.mean([growth(run, run.at(1)) for run in runs]))
    late = float(np.mean([growth(run, -1) / (run.times[-1] - 1) for run in runs]))

    def part(name: str, true: float, printed: float, reason: str) -> Claim:
        return reported(name, true, printed, relation="≠", reason=reason)

    return [
        part(
            "A.2.1: E |I_nu - I_-nu|^l of one point",
            float((np.abs(differences()) ** 3).mean()),
            0.25,
            "two of the four clusters give ±1, whatever l; n = 1 shows it",
        ),
        part(
            "A.26: C with which (1/8 - 5/C) n >= n/9",
            5 / (1 / 8 - 1 / 9),
            150.0,
            "no C is printed there; the only number of the appendix is A.23's 150",
        ),
        part(
            "D'4 without n_nu: c_nu - d_-nu = 4 >= n/10 where D4's c_nu - n_nu - d_-nu is",
            4.0 - 3.0,
            4.0,
            "n = 40, one neuron, c_nu = 4, n_nu = 3, d_-nu = 0: D'4 holds and D4 does not",
        ),
        part(
            "4.2: neurons aligned by the appendix's d_-nu alone, not by the text's maximum",
            extra(runs),
            0.0,
            "share of all neurons and centres, D_nu > 0: the definitions differ",
        ),
        part(
            "A.88: c in f(nu) = alpha |mu|^2 e_nu/(c n) at t = 1, measured",
            one_step_factor(config, lab),
            2.0,
            "4 by A.87 and equation 4.3; printed 2 from A.89 to A.93",
        ),
        part(
            "A.15: (1 - 4/(C n))^n at n = 2, C = 9",
            (1 - 4 / 18) ** 2,
            1 - 4 / 18,
            "printed as a lower bound; 1 - 4/C = .556 is one",
        ),
        part(
            "4.7 at t = 1: mean over J1, in units of alpha |mu|^2 t/sqrt m",
            one,
            late,
            f"beside its size a step later on; times sqrt n {one * n**0.5:.3g}: Theta(n^-1/2)",
        ),
    ]


def extra(runs: Sequence[Watched]) -> float:
    """The share of pairs of centre and neuron that only one definition of alignment takes."""
    shares = []
    for run in runs:
        shares.append(float((run.aligned(0.5, "opposite") & ~run.aligned(0.5)).mean()))
    return float(np.mean(shares))


STATEMENT = Statement(
    id="xu2023.slips",
    title="What the text has wrong, each with its smallest counterexample",
    kind=Kind.DEFINITION,
    config=AssumptionsMet(samples=200),
    evidence=evidence,
    text=TEXTS["slips"],
    seeds=20,
    place="Sections 4 and A",
    references=REFERENCES,
)
