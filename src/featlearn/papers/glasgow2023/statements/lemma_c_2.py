r"""Lemma C.2: early on, the loss pulls as its linearisation does (Glasgow 2023, appendix C).

    G1   |grad_a L0 - grad_a L|   <= C ||w|| E||a w||
    G2   ||grad_w L0 - grad_w L|| <= C |a|  E||a w||   for any network and any neuron, C = 2

because l' - l0' = tanh(f/2) exactly, whatever the label, and |tanh(f/2)| <= |f|/2. So C = 1/2 will
do as well; and the largest ratio seen, 1/4, is that of a network of one small neuron: there f is
linear on the half-space of the neuron and 0 on the other. All expectations are over all 2^d points.
"""

import numpy as np

from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.population import ALONG, REFERENCES, Net, Small, worst
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import Control, Evidence, FittedConstant, Kind, Reading, Statement, bound


def ratio_a(net: Net, linear: float = 1.0) -> np.ndarray:
    """The left-hand side of G1 over ||w|| E||a w||, per neuron; L0 has its slope times `linear`."""
    gap = linear * net.slopes["linear"].a - net.slopes["loss"].a
    return np.abs(gap) / (net.norm * net.mean_aw)


def ratio_w(net: Net, linear: float = 1.0) -> np.ndarray:
    """The left-hand side of G2 over |a| E||a w||, per neuron; L0 has its slope times `linear`."""
    gap = linear * net.slopes["linear"].w - net.slopes["loss"].w
    return np.linalg.norm(gap, axis=1) / (np.abs(net.a) * net.mean_aw)


def statement(constant: float = 2.0, linear: float = 1.0) -> Statement[Small]:
    """The lemma with its constant; below 1/4, or with another slope of L0, it is false."""

    def evidence(config: Small, lab: Lab) -> Evidence:
        found = {
            "G1": worst(config, lab, lambda net: ratio_a(net, linear)),
            "G2": worst(config, lab, lambda net: ratio_w(net, linear)),
        }
        limits = (
            ("as printed", constant, Reading.PRINTED),
            ("by tanh", constant / 4, Reading.RUN),
        )
        parts = [
            bound(
                f"{name} {told}, K = {limit:g}: largest ratio",
                values,
                limit,
                every=True,
                instances=ALONG,
            ).under(reading)
            for told, limit, reading in limits
            for name, values in found.items()
        ]
        largest = {
            name: FittedConstant(value=float(values.max())) for name, values in found.items()
        }
        return Evidence(parts=tuple(parts), constants=largest)

    return Statement(
        id="glasgow2023.lemma-C.2",
        title="Early on, the loss pulls as its linearisation does",
        kind=Kind.BOUND,
        config=Small(),
        evidence=evidence,
        text=TEXTS["lemma-C.2"],
        control=Control("L0 linearised with half its slope", lambda: statement(linear=0.5)),
        seeds=12,
        place="Lemma C.2, appendix C.1",
        references=REFERENCES,
    )


STATEMENT = statement()
