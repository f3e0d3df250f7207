r"""Lemmas C.15 and C.16: controlled neurons stay controlled, strong ones strong (Glasgow, C.2).

With probability 1 - d^-omega(1), step after step: a controlled neuron (definition C.9) is
controlled or weakly controlled (definition C.10) afterwards, a strong one (definition C.13) strong;
in phase 1a by lemma C.15, in phase 1b by lemma C.16.

    C1  ||w_sig||^2 <= B_t^2                  C4  ||w_perp - w_perp(0)|| <= theta zeta^(1/4) eta t
    C2  ||w_opp||^2 <= Q^2 + theta B_t^2      C5  ||w_perp||_inf^2 <= Q^2 + theta B_t^2
    C3  |a| = theta (1 ± t eta zeta), |a| <= ||w||
    W1  as C1    W2  ||w_opp||^2 <= 4 theta^2 zeta    W4  ||w_perp||^2 <= 3 theta^2
    W3  ||w||^2 >= a^2 >= ||w||^2 - sqrt(zeta) theta^2

By the paper's constants phase 1a ends before it begins (see `envelopes`): OUT_OF_SCOPE. On a run
with the constants of that module a trial is a neuron: C1 to C5 must hold at every step to T_1a, W1
to W4 from there to T_1b (W5 has zeta^300 in it and is left out), and a neuron that is strong at the
start must be so to T_1b. The probability is asked to be at least 1 - 1/d, its weakest reading.
"""

import numpy as np

from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.envelopes import Paths, Phase1, hypotheses, paths
from featlearn.papers.glasgow2023.population import REFERENCES
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import Claim, Control, Evidence, Kind, Statement, high_probability, trend


def kept(path: Paths, longer: float) -> dict[str, np.ndarray]:
    """Per neuron, whether each clause held all along, were neurons `longer` than they are."""
    path = Paths(config=path.config, w=path.w * longer, a=path.a * longer)
    T = path.config.T_1a
    controlled = {name: np.all(v[: T + 1], axis=0) for name, v in path.controlled.items()}
    weakly = {name: np.all(v[T:], axis=0) for name, v in path.weakly.items()}
    return {**controlled, **weakly}


def statement(longer: float = 1.0, frozen: bool = False) -> Statement[Phase1]:
    """The lemmas; for neurons that are `longer` than the envelopes allow they are false.

    With a `frozen` first layer no neuron stays strong.
    """

    def evidence(config: Phase1, lab: Lab) -> Evidence:
        found, at_least = paths(config, lab, frozen=frozen), 1 - 1 / config.d
        rows = [kept(path, longer) for path in found]
        every = [np.all(list(row.values()), axis=0) for row in rows]
        parts = [_share("C1 to C5, then W1 to W4, all at once", np.concatenate(every), at_least)]
        for name in rows[0]:
            held = np.concatenate([row[name] for row in rows])
            span = "phase 1a" if name.startswith("C") else "phase 1b"
            label = f"{name} to the end of {span}"
            parts.append(_share(label, held, at_least))
        strong = [np.all(p.strong[:, p.strong_at_0], axis=0) for p in found]
        parts.append(
            _share("strong at the start, strong to T_1b", np.concatenate(strong), at_least)
        )
        share = np.stack([p.strong[:, p.strong_at_0].mean(axis=1) for p in found], axis=1)
        shown = trend(
            "strong neurons that are still strong",
            "step t",
            np.arange(float(len(share))),
            share,
            [at_least] * len(share),
            relation=">=",
        )
        return Evidence(parts=tuple(parts), trends=(shown,))

    return Statement(
        id="glasgow2023.lemma-C.15",
        title="Controlled neurons stay controlled, strong ones strong (C.9, C.10, C.16)",
        kind=Kind.HIGH_PROBABILITY,
        config=Phase1(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=TEXTS["lemma-C.15"],
        control=Control("the first layer is frozen", lambda: statement(frozen=True)),
        seeds=7,
        place="Definitions C.9 and C.10, lemmas C.15 and C.16, appendix C.2",
        references=REFERENCES,
    )


def _share(name: str, held: np.ndarray, at_least: float) -> Claim:
    return high_probability(name, int(held.sum()), len(held), at_least, of="neurons")


STATEMENT = statement()
