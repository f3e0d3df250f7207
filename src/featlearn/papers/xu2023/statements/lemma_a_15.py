r"""Lemma A.15: expectations of non-negative functions of the signs, within factors 1/2 and 2
(appendix A.6).

Z as in lemma A.16 with C > 8, Z' ~ N(0, I); b, b' the indicators of positive signs. For every f >=
0

    1/2 E f(b')  <=  E f(b)  <=  2 E f(b').

The extremes over f are those of 2^n P over single patterns, so lemma A.16's integral decides. The
proof writes (1 - 4/(C n))^n >= 1 - 4/(C n), which is false for every n >= 2 (n = 2, C = 9: .605
against .778); meant is 1 - 4/C, and the lemma stands.
"""

from featlearn.experiments.lab import Lab
from featlearn.papers.xu2023.setting import REFERENCES
from featlearn.papers.xu2023.statements.lemma_a_16 import Correlated, extremes
from featlearn.papers.xu2023.texts import TEXTS
from featlearn.theory import (
    Control,
    Evidence,
    Hypothesis,
    Kind,
    Statement,
    exact_bound,
    reported,
)


def statement(factor: float = 2.0) -> Statement[Correlated]:
    """The lemma; another factor is another claim."""

    def evidence(config: Correlated, lab: Lab) -> Evidence:
        C = config.C
        parts = []
        for n, (low, high) in extremes(C).items():
            parts += [
                exact_bound(f"least E f(b)/E f(b'), n = {n}", low, 1 / factor, side=">="),
                exact_bound(f"largest E f(b)/E f(b'), n = {n}", high, factor),
            ]
        slip = reported(
            "as printed in the proof, n = 2: (1 - 4/(C n))^n >= 1 - 4/(C n)",
            (1 - 2 / C) ** 2,
            1 - 2 / C,
            relation=">=",
            reason=f"false; (1 - 4/(C n))^n >= 1 - 4/C = {1 - 4 / C:.3g} is true and enough",
        )
        return Evidence(parts=(*parts, slip))

    return Statement(
        id="xu2023.lemma-A.15",
        title="Expectations over signs of nearly independent Gaussians, within a factor 2",
        kind=Kind.BOUND,
        config=Correlated(),
        evidence=evidence,
        hypotheses=lambda config: [Hypothesis(name="C > 8", value=config.C, side=">=", limit=8.0)],
        text=TEXTS["lemma-A.15"],
        control=Control("a factor 1.01 in the place of 2", lambda: statement(factor=1.01)),
        seeds=1,
        place="Lemma A.15, appendix A.6",
        references=REFERENCES,
    )


STATEMENT = statement()
