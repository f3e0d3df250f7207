r"""Claim D.6: the clean gradient along the signal (Glasgow 2023, appendix D.2).

For a heavy neuron with w_sig.mu > 0, tau = sqrt(2)/4, g_mu = |l'(mu)|,

    -w_sig.grad_w^cl = tau |a| ||w_sig|| g_mu (1 ± o(1)),
    -y(mu) grad_a^cl = tau ||w_sig|| g_mu (1 ± o(1)).

(The text prints mu.grad for a unit vector along mu: with mu = e1 - e2 it is off by sqrt 2.) For any
neuron of any network there is a closed form, with s = w_perp.xi and q = P(s > sqrt2 ||w_sig||):

    -w_sig.grad_w^cl = tau |a| ||w_sig|| (g_mu - q (g_mu + g_-mu)),

ties counting one half; heavy neurons have q = 0. The closed form is judged on networks along
training, the claim on signal-heavy networks, where its o(1) is at most 2 zeta.
"""

import math

import numpy as np

from featlearn.distributions.rademacher import within
from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.hypotheses import built_heavy
from featlearn.papers.glasgow2023.near_start import TAU
from featlearn.papers.glasgow2023.population import (
    REFERENCES,
    Net,
    Small,
    heavy_networks,
    networks,
)
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import Claim, Control, Kind, Reading, Statement, identity

NEURONS = 8
"""How many neurons of each network are looked at."""


def pulls(net: Net) -> tuple[np.ndarray, np.ndarray]:
    """g_mu of the cluster that a neuron serves, and of the opposite cluster."""
    mine = np.argmax(net.cluster, axis=0)
    return net.g[mine], net.g[mine ^ 1]


def along_signal(net: Net) -> np.ndarray:
    """-w_sig.grad_w^cl, per neuron."""
    return -np.sum(net.parts[0] * net.slopes["clean"].w, axis=1)


def closed_form(net: Net, rate: float) -> np.ndarray:
    """The right-hand side for any neuron, of the first few."""
    own, other = pulls(net)
    some = slice(0, NEURONS)
    ends = math.sqrt(2) * net.signal[some]
    rows = zip(net.w[some, 2:], ends, strict=True)
    inside = np.array([float(within(row, end, "meet")) for row, end in rows])
    q = (1 - inside) / 2
    size = rate * (np.abs(net.a) * net.signal)[some]
    return np.asarray(size * (own[some] - q * (own[some] + other[some])))


def statement(rate: float = TAU) -> Statement[Small]:
    """The claim; the printed normalisation has `rate` sqrt(2) tau."""

    def evidence(config: Small, lab: Lab) -> list[Claim]:
        every = [net for nets in lab.each_seed(networks, config=config) for net in nets]
        left = np.concatenate([along_signal(net)[:NEURONS] for net in every])
        right = np.concatenate([closed_form(net, rate) for net in every])
        scale = np.concatenate([(np.abs(n.a) * n.norm)[:NEURONS] for n in every])
        heavy = [one for some in lab.each_seed(heavy_networks, config=config) for one in some]
        zeta = max(one.zeta for one in heavy)
        of_w, of_a = [], []
        for one in heavy:
            net, S = one.net, one.S
            size = rate * net.signal * pulls(net)[0]
            of_w.append((along_signal(net) / (np.abs(net.a) * size))[S])
            of_a.append((-np.sign(net.a) * net.slopes["clean"].a / size)[S])
        one_w, one_a = np.concatenate(of_w), np.concatenate(of_a)
        mended = (Reading.CORRECTED, Reading.RUN)
        closed = identity(
            "closed form, any neuron", left, right, tolerance=1e-9, scale=1e-3 * scale
        )
        as_printed = identity(
            "w: left/right with mu = e1 - e2, as printed",
            one_w * rate / TAU * math.sqrt(2),
            1.0,
            tolerance=0.1,
        )
        return [
            closed.under(*mended),
            as_printed.noted("sqrt 2 whatever zeta is: no o(1) helps").under(Reading.PRINTED),
            identity("w: left/right, heavy neurons", one_w, 1.0, tolerance=2 * zeta).under(*mended),
            identity("a: left/right, heavy neurons", one_a, 1.0, tolerance=2 * zeta),
        ]

    return Statement(
        id="glasgow2023.lemma-D.6",
        title="The clean gradient along the signal",
        kind=Kind.IDENTITY,
        config=Small(),
        evidence=evidence,
        hypotheses=built_heavy,
        text=TEXTS["lemma-D.6"],
        control=Control(
            "the rate times sqrt 2, as printed", lambda: statement(rate=math.sqrt(2) * TAU)
        ),
        seeds=20,
        place="Claim D.6, appendix D.2",
        references=REFERENCES,
    )


STATEMENT = statement()
