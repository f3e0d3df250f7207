r"""SGD stays near the flow without dimension.

For eta t <= T, with high probability, the distance of SGD (width p, batch b, step eta, in R^d) from
the flow is at most

    e^(K T^7) ( sqrt((k + log d)/d) + sqrt(log p/p) + max(sqrt((d + log p)/b), 1) sqrt eta ).

T is fixed here, so that e^(K T^7) is one hidden constant. Distance: the largest root-mean-square
difference, over the corners of the bits, between the network's mean output and the flow's. Each of
d, p and 1/eta is doubled alone, and all of them together; the distance over the bound may not grow
as a power of the size above `MOST`, seed by seed.
"""

from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn.experiments.lab import Lab
from featlearn.papers.abbe2022.overlay import bound_shape, distance
from featlearn.papers.abbe2022.texts import TEXTS
from featlearn.theory import Control, Evidence, FittedConstant, Kind, Statement, bound, trend

MOST = 0.1
"""A power below which growth over the sizes of a run counts as none."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """Sizes that are doubled one by one, and all together."""

    target: str = "x1 + x1*x2"
    """The target."""
    last: float = 20.0
    """eta t at the end (T)."""
    d: int = 64
    """Input dimension, where it is not doubled."""
    width: int = 256
    """Neurons, where they are not doubled."""
    eta: float = 0.2
    """Step size, where it is not halved."""
    batch_ratio: float = 4.0
    """Fresh samples per step, divided by d."""
    doublings: int = 4
    """Sizes of an axis, each twice the one before; the last is the one above."""

    def __post_init__(self) -> None:
        require(self.doublings >= 2, "doublings", "at least 2", self.doublings)
        require(self.d >> self.doublings >= 2, "d", "larger, or fewer doublings", self.d)


AXES = ("d", "width", "1/eta", "all")


def sizes_of(config: Sizes, axis: str) -> list[tuple[int, int, float, int]]:
    """d, width, eta and batch of every size of an axis, smallest first."""
    found = []
    for i in reversed(range(config.doublings)):
        d = config.d >> i if axis in ("d", "all") else config.d
        width = config.width >> i if axis in ("width", "all") else config.width
        eta = config.eta * 2**i if axis in ("1/eta", "all") else config.eta
        found.append((d, width, eta, round(config.batch_ratio * d)))
    return found


def statement(power: float = 1.0) -> Statement[Sizes]:
    """The bound, raised to a power."""

    def evidence(config: Sizes, lab: Lab) -> Evidence:
        parts, shown = [], []
        constants: dict[str, FittedConstant] = {}
        for axis in AXES:
            sizes = sizes_of(config, axis)
            k = 2
            far = np.array(
                [distance(*each, target=config.target, last=config.last, lab=lab) for each in sizes]
            )
            shape = np.array([bound_shape(*each, k) ** power for each in sizes])
            x = 2.0 ** np.arange(len(sizes))
            u = np.log(x) - np.log(x).mean()
            growth = u @ np.log(far / shape[:, None]) / (u @ u)
            parts.append(bound(f"exponent of distance over bound, {axis} doubled", growth, MOST))
            constants[f"C, {axis}"] = FittedConstant(value=float((far[-1] / shape[-1]).mean()))
            shown.append(
                trend(
                    f"distance, {axis}",
                    "size",
                    x,
                    far,
                    far[0].mean() / shape[0] * shape,
                    logarithmic=True,
                )
            )
        return Evidence(parts=tuple(parts), constants=constants, trends=tuple(shown))

    return Statement(
        id="abbe2022.flow-limit",
        title="SGD stays near the flow without dimension",
        kind=Kind.HIDDEN_CONSTANTS,
        config=Sizes(),
        evidence=evidence,
        text=TEXTS["flow-limit"],
        control=Control("the fourth power of the bound", lambda: statement(power=4.0)),
        seeds=24,
        place="Approximation of SGD by the dimension-free dynamics",
        references=("abbe2022",),
    )


STATEMENT = statement()
