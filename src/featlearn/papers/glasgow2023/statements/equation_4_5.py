r"""Equation 4.5: in the first two coordinates L and L0 pull nearly alike (Glasgow 2023, section 4).

    ||grad_{w_1:2} L - grad_{w_1:2} L0||
        <= C log(d)^2 |a| (E||a w_1:2|| + E||a w|| ||w_1:2||/||w||)        near the start,

which is much less than lemma C.2 gives, since ||w_1:2|| is of order ||w||/sqrt d. The paper hides C
in O(log^2 d): it is fitted on the smaller d, and C = 1 is judged too. Networks are initial ones,
once as drawn and once with w_1:2 four times as long, as it becomes in phase 1; both gradients are
sums over all 2^d points. What log^2 d is good for is a constant: the largest quotient without it.
"""

import dataclasses
from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn._streams import generator
from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.population import REFERENCES, Net
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import (
    Control,
    Evidence,
    FittedConstant,
    Kind,
    Statement,
    bound,
    hidden_constant,
    trend,
)

STRETCHES = (1.0, 4.0)
"""How much longer than drawn w_1:2 is."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Initial networks whose population is enumerated."""

    d: tuple[int, ...] = (6, 8, 10, 12, 14)
    """Input dimensions, at most 16."""
    width: int = 40
    """Number of neurons."""
    theta: float = 0.3
    """Radius of the neurons, and size of the second layer."""

    def __post_init__(self) -> None:
        require(
            len(self.d) >= 2 and min(self.d) >= 4 and max(self.d) <= 16,
            "d",
            "two dimensions from 4 to 16",
            self.d,
        )
        require(self.width >= 1, "width", "at least 1 neuron", self.width)


def start(sizes: Sizes, d: int, seed: int, stretch: float) -> Net:
    """A network as it is drawn, its first two coordinates stretched."""
    rng = generator(seed, f"equation-4.5 d={d}")
    w = rng.normal(size=(sizes.width, d))
    w *= sizes.theta / np.linalg.norm(w, axis=1, keepdims=True)
    w[:, :2] *= stretch
    return Net(w=w, a=sizes.theta * rng.choice([-1.0, 1.0], sizes.width))


def quotients(net: Net, linear: float = 1.0) -> np.ndarray:
    """Left side over |a| (E||a w_1:2|| + E||a w|| ||w_1:2||/||w||), per neuron.

    `linear` is the slope of L0 over the paper's; with another one L0 is not the linearisation.
    """
    gap = np.linalg.norm((net.slopes["loss"].w - linear * net.slopes["linear"].w)[:, :2], axis=1)
    pair = np.linalg.norm(net.w[:, :2], axis=1)
    limit = np.mean(np.abs(net.a) * pair) + net.mean_aw * pair / net.norm
    return np.asarray(gap / (np.abs(net.a) * limit))


def small_share(net: Net) -> float:
    """Share of the neurons on which the gap is smaller than the gradient of L0 along w_sig."""
    gap = np.linalg.norm((net.slopes["loss"].w - net.slopes["linear"].w)[:, :2], axis=1)
    pull = np.abs(np.sum(net.parts[0] * net.slopes["linear"].w, axis=1)) / net.signal
    return float(np.mean(gap < pull))


def statement(constant: float = 1.0, linear: float = 1.0) -> Statement[Sizes]:
    """The equation, judged with this constant as well as with a fitted one; see `quotients`."""

    def evidence(sizes: Sizes, lab: Lab) -> Evidence:
        nets = [[[start(sizes, n, s, k) for k in STRETCHES] for s in lab.seeds] for n in sizes.d]
        found = np.array(
            [[max(quotients(net, linear).max() for net in of) for of in row] for row in nets]
        )
        d = np.array(sizes.d, float)
        shape = np.log(d) ** 2
        part = hidden_constant("largest left/right, C fitted", d, found, shape)
        most = (found / shape[:, None]).max(axis=0)
        given = bound(f"largest left/right, C = {constant:g}", most, constant, every=True)
        share = np.mean([small_share(of[0]) for of in nets[-1]])
        return Evidence(
            parts=(part, given),
            constants={
                "C without log^2 d": FittedConstant(value=float(found.max())),
                f"share with a gap below the pull on w_sig, d={sizes.d[-1]}": FittedConstant(
                    value=float(share)
                ),
            },
            trends=(trend("left/right without C", "d", d, found, shape, constant="C"),),
        )

    return Statement(
        id="glasgow2023.equation-4.5",
        title="In the first two coordinates L and L0 pull nearly alike",
        kind=Kind.HIDDEN_CONSTANTS,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["equation-4.5"],
        control=Control(
            "L0 linearised with half its slope, on a small network",
            lambda: dataclasses.replace(statement(linear=0.5), config=Sizes(theta=0.03)),
        ),
        seeds=30,
        place="Equation 4.5, section 4.1",
        references=REFERENCES,
    )


STATEMENT = statement()
