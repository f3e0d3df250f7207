r"""Curves that a paper predicts for a run, which the page draws over the measured ones.

XOR         ||w_sig|| = its start (1 + 2 eta tau1)^(t/2) in phase 1, tau1 = 1/sqrt(2 pi)
staircases  the flow of the limit d, width -> infinity, at the time eta t
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

POINTS = 120
"""Places at which a prediction is computed, evenly over its steps."""


@dataclass(frozen=True, kw_only=True)
class Prediction:
    """A predicted curve, which is drawn beside a recorded one."""

    key: str
    """The curve or column that it stands beside."""
    label: str
    steps: list[float]
    values: list[float]

    def document(self) -> dict[str, Any]:
        """Return the prediction as a JSON document for the page."""
        return asdict(self)


def predictions(
    config: Any, start: Mapping[str, list[float | None]], steps: int
) -> list[Prediction]:
    """Return the curves that the paper predicts for a run; the list is empty if it predicts
    nothing.

    Args:
        config: the configuration.
        start: the first number of every curve, and all neurons' first numbers of every column.
        steps: how long it runs.
    """
    from featlearn.papers.abbe2022.staircase import Staircase
    from featlearn.papers.glasgow2023.xor import Xor

    at = np.linspace(0.0, steps, POINTS)
    if isinstance(config, Xor):
        return _growth(config, start, at)
    if isinstance(config, Staircase):
        return _predict_by_flow(config, start, at)
    return []


def _growth(
    config: Any, start: Mapping[str, list[float | None]], at: np.ndarray
) -> list[Prediction]:
    """Predict phase 1 of XOR (appendix C): the signal of the median neuron, until it is twice
    theta.
    """
    from featlearn.papers.glasgow2023.figures import TAU1

    known = [value for value in start.get("signal", []) if value is not None]
    if not known or config.loss != "doubled-logistic" or config.signal != "boolean":
        return []
    with np.errstate(over="ignore"):  # long after phase 1 it is infinite, and not drawn
        values = float(np.median(known)) * (1 + 2 * config.eta * TAU1) ** (at / 2)
    early = values <= 2 * config.theta
    if not early.any():
        return []
    return [
        Prediction(
            key="signal",
            label="predicted in phase 1: (1 + 2ητ₁)^(t/2) for the middle neuron",
            steps=at[early].tolist(),
            values=values[early].tolist(),
        )
    ]


def _predict_by_flow(
    config: Any, start: Mapping[str, list[float | None]], at: np.ndarray
) -> list[Prediction]:
    """Predict the test loss and the learnt bits from the gradient flow in infinite dimension."""
    theirs = ("sigmoid", "both", "squared", "regression")
    if (config.activation, config.trained, config.loss, config.task) != theirs:
        return []
    from featlearn.papers.abbe2022.flows import path_at_infinity

    times = config.eta * at
    times[0] = min(1e-3, float(times[1]) / 10)  # the flow is asked at positive times
    path = path_at_infinity(config.formula, times)
    label = "predicted: the flow at d = ∞"
    steps = at.tolist()
    found = [
        Prediction(key="test_loss", label=label, steps=steps, values=(path.error / 2).tolist())
    ]
    bits = [key for key in start if key.startswith("on_bit ")]
    if len(bits) == path.found.shape[1]:
        found += [
            Prediction(key=key, label=label, steps=steps, values=path.found[:, i].tolist())
            for i, key in enumerate(bits)
        ]
    return [each for each in found if all(map(math.isfinite, each.values))]
