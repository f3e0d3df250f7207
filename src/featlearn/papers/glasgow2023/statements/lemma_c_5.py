r"""Lemma C.5: how far l' is from its linearisation, and how much one bit moves it (Glasgow 2023).

    E (l' - l0')^2 <= C (E||a w||)^2,   C = 4 as printed, 1/4 by tanh
    |D(x_i = 1) - D(x_i = -1)| <= C' E|a w_i|,  D = l' - l0',   C' = 4 as printed, 1 by tanh

for every x and i. The second is printed for l' itself, which is false for i = 1, 2: flipping x_1
flips the label, and l' jumps; for D = tanh(f/2) it is true for every i. All 2^d points.
"""

import numpy as np

from featlearn.experiments.lab import Lab
from featlearn.papers.glasgow2023.population import ALONG, REFERENCES, Net, Small, worst
from featlearn.papers.glasgow2023.texts import TEXTS
from featlearn.theory import Control, Evidence, Kind, Reading, Statement, bound


def cube(d: int) -> np.ndarray:
    """All points, bit i of the row number being coordinate i."""
    return 2.0 * ((np.arange(2**d)[:, None] >> np.arange(d)) & 1) - 1


def outputs(net: Net) -> np.ndarray:
    """f at every point."""
    return np.maximum(cube(net.d) @ net.w.T, 0) @ net.a / len(net.a)


def square(net: Net) -> np.ndarray:
    """E (l' - l0')^2 over (E||a w||)^2."""
    return np.mean(np.tanh(outputs(net) / 2) ** 2) / np.array([net.mean_aw**2])


def flip(net: Net, *, with_label: bool = False) -> np.ndarray:
    """The largest jump when bit i flips, over E|a w_i|, per coordinate."""
    x, f = cube(net.d), outputs(net)
    slope = np.tanh(f / 2) + (x[:, 0] * x[:, 1] if with_label else 0)  # l0' = -y = x_1 x_2
    rows = np.arange(len(f))
    jumps = [np.abs(slope[rows] - slope[rows ^ (1 << i)]).max() for i in range(net.d)]
    return np.array(jumps) / np.mean(np.abs(net.a[:, None] * net.w), axis=0)


def statement(
    of_square: float = 4.0, of_flip: float = 4.0, with_label: bool = False
) -> Statement[Small]:
    """The lemma with its constants; with the label it is the printed, false, second part."""

    def evidence(config: Small, lab: Lab) -> Evidence:
        mean = worst(config, lab, square)
        jump = worst(config, lab, lambda net: flip(net, with_label=with_label))
        printed = worst(config, lab, lambda net: flip(net, with_label=True))
        both = (Reading.PRINTED, Reading.CORRECTED)
        name = "jump of l' - l0' over E|a w_i|"
        return Evidence(
            parts=(
                bound(
                    "E (l' - l0')^2/(E||a w||)^2, K = 4",
                    mean,
                    of_square,
                    every=True,
                    instances=ALONG,
                ).under(*both),
                bound("the same, by tanh", mean, of_square / 16, every=True, instances=ALONG).under(
                    Reading.RUN
                ),
                bound(
                    "jump of l' over E|a w_i|, as printed",
                    printed,
                    of_flip,
                    every=True,
                    instances=ALONG,
                ).under(Reading.PRINTED),
                bound(f"{name}, K' = 4", jump, of_flip, every=True, instances=ALONG).under(
                    Reading.CORRECTED
                ),
                bound(f"{name}, by tanh", jump, of_flip / 4, every=True, instances=ALONG).under(
                    Reading.RUN
                ),
            )
        )

    return Statement(
        id="glasgow2023.lemma-C.5",
        title="How far l' is from its linearisation, and how much one bit moves it",
        kind=Kind.BOUND,
        config=Small(),
        evidence=evidence,
        text=TEXTS["lemma-C.5"],
        control=Control("the label left in, as printed", lambda: statement(with_label=True)),
        seeds=12,
        place="Lemma C.5, appendix C.1",
        references=REFERENCES,
    )


STATEMENT = statement()
