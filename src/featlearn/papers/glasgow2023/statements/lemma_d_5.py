r"""Lemma D.5: clean gradients are near the true ones (Glasgow 2023, appendix D.1).

For a (zeta, H)-signal-heavy network, H_rho = E||a w||,

    ||grad_w^cl L - grad_w L|| <= 4 |a| zeta H_rho,  |grad_a^cl L - grad_a L| <= 4 ||w|| zeta H_rho.

("signal-heavy" is missing in the printed text.) Since |l'(x) - l'(z)| <= |f(x) - f(z)|/2, any
network whatsoever has

    ||grad_w^cl L - grad_w L|| <= (1/2) |a| E||a w_perp||,       the same for a with ||w||,

which is judged on networks along training; the printed bound on networks built to be signal-heavy
by the letter, H = 1.01. All gradients are sums over all 2^d points.
"""

import numpy as np

from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.hypotheses import built_heavy
from featlearn.papers.glasgow2023.population import (
    ALONG,
    BUILT,
    REFERENCES,
    Heavy,
    Net,
    Small,
    worst,
    worst_heavy,
)
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import Control, Evidence, FittedConstant, Kind, Reading, Statement, bound


def distances(net: Net) -> tuple[np.ndarray, np.ndarray]:
    """||grad_w^cl - grad_w||/|a| and |grad_a^cl - grad_a|/||w||, per neuron."""
    clean, true = net.slopes["clean"], net.slopes["loss"]
    of_w = np.linalg.norm(clean.w - true.w, axis=1) / np.abs(net.a)
    return of_w, np.abs(clean.a - true.a) / net.norm


def lengthened(one: Heavy, longer: float) -> Net:
    """The same network, w_perp so many times as long."""
    return Net(w=one.net.w + (longer - 1) * one.net.parts[2], a=one.net.a)


def statement(
    printed: float = 4.0, any_network: float = 0.5, longer: float = 1.0
) -> Statement[Small]:
    """The lemma with its constant, and with that of any network.

    With w_perp `longer` the networks are not signal-heavy, and it is false.
    """

    def evidence(config: Small, lab: Lab) -> Evidence:
        parts, constants = [], {}
        for place, name in enumerate(("grad_w", "grad_a")):

            def of_any(net: Net, place: int = place) -> np.ndarray:
                return distances(net)[place] / np.mean(np.abs(net.a) * net.orthogonal)

            def of_heavy(one: Heavy, place: int = place) -> np.ndarray:
                net = one.net if longer == 1 else lengthened(one, longer)
                return distances(net)[place] / (one.zeta * net.mean_aw)

            free, heavy = worst(config, lab, of_any), worst_heavy(config, lab, of_heavy)
            label = f"{name}, any network: over E||a w_perp||"
            parts.append(
                bound(label, free, any_network, every=True, instances=ALONG).under(Reading.RUN)
            )
            label = f"{name}, signal-heavy: over zeta H_rho"
            parts.append(bound(label, heavy, printed, every=True, instances=BUILT))
            constants[f"{name}, any network"] = FittedConstant(value=float(free.max()))
        return Evidence(parts=tuple(parts), constants=constants)

    return Statement(
        id="glasgow2023.lemma-D.5",
        title="Clean gradients are near the true ones",
        kind=Kind.BOUND,
        config=Small(),
        evidence=evidence,
        hypotheses=built_heavy,
        text=TEXTS["lemma-D.5"],
        control=Control("w_perp of heavy neurons 1e5 times as long", lambda: statement(longer=1e5)),
        seeds=20,
        place="Lemma D.5, appendix D.1",
        references=REFERENCES,
    )


STATEMENT = statement()
