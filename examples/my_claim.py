"""How wrong is a rule that only averages? A claim of your own with all that a claim can have.

Its constant has a value in each reading, its hypotheses are numbers, labels that are shuffled must
not pass, and neither must a bound that is too small. docs/how-to/check-a-claim.md explains it.

featlearn check examples/my_claim.py:CLAIM
"""

import math
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np

import featlearn as fl
from featlearn.theory import Role, Unknown


@dataclass(frozen=True, kw_only=True)
class Clusters:
    """x = y r e_1 + N(0, I), y = ±1."""

    d: int = 50
    """Input dimension."""
    n: int = 200
    """Number of points that the rule sees."""
    r: float = 1.5
    """Distance of each centre from the origin."""


def normal_tail(t: float) -> float:
    """P(N(0, 1) > t)."""
    return math.erfc(t / math.sqrt(2)) / 2


def error(model: Clusters, seed: int, shuffled: bool) -> float:
    """The error of sign(w.x), w the mean of y x over one sample: exact, given w."""
    rng = np.random.default_rng(seed)
    y = rng.choice([-1.0, 1.0], size=model.n)
    x = rng.normal(size=(model.n, model.d))
    x[:, 0] += model.r * y
    w = (rng.permutation(y) if shuffled else y) @ x / model.n
    return normal_tail(model.r * w[0] / float(np.linalg.norm(w)))


def claim(share: float = 0.5, shuffled: bool = False) -> fl.Statement[Clusters]:
    """The bound is Phi(-share r); another share is another claim."""

    def evidence(model: Clusters, lab: fl.Lab) -> fl.Claim:
        errors = np.array([error(model, seed, shuffled) for seed in lab.seeds])
        return fl.bound("error of the mean rule", errors, normal_tail(share * model.r))

    def hypotheses(model: Clusters) -> list[fl.Hypothesis]:
        return [
            fl.Hypothesis(name="n >= C d", value=model.n, side=">=", limit=model.d, constant="C"),
            fl.Hypothesis(name="r >= 1", value=model.r, side=">=", limit=1.0),
        ]

    C = Unknown(symbol="C", role=Role.HYPOTHESIS, weaker="up", proof=16.0, run=1.0)
    return fl.Statement(
        id="my.mean-rule",
        title="The mean of y x nearly separates two clusters",
        kind=fl.Kind.BOUND,
        config=Clusters(),
        evidence=evidence,
        hypotheses=hypotheses,
        text=fl.Text(
            printed=r"If $n \ge C d$ and $r \ge 1$, then $P(y\, w \cdot x \le 0) \le \Phi(-r/2)$.",
            hypotheses=(r"n \ge C d", r"r \ge 1"),
            constants=(C,),
        ),
        control=fl.Control("the labels are shuffled", lambda: claim(shuffled=True)),
        seeds=20,
    )


CLAIM = claim()
if __name__ == "__main__":
    cases = {"as claimed": CLAIM, "control": claim(shuffled=True), "planted": claim(share=1.0)}
    for name, case in cases.items():
        print(f"{name:<12} {fl.check(case).verdicts}")

    sizes = [50, 100, 200, 400, 800]
    errors = [[error(Clusters(n=n), seed, False) for seed in range(20)] for n in sizes]
    plt.semilogx(sizes, errors, color="tab:blue", alpha=0.4)
    for share, told in ((0.5, "claimed"), (1.0, "planted: the best rule")):
        plt.axhline(normal_tail(share * Clusters().r), linestyle="--", label=told)
    plt.xlabel("points"), plt.ylabel("error of the mean rule, 20 seeds"), plt.legend()
    plt.savefig("mean-rule.pdf")
