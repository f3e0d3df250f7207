"""What follows the first step: the paper's plain descent, or Adam with a falling step size.

literal      eta = k^2/(T sqrt q), constant; T steps, q = width/2
practical    Adam, eta = .01 falling linearly to 0
"""

import math
from typing import Any, Literal

import featlearn as fl

Schedule = Literal["practical", "literal"]


def step_size(schedule: Schedule, *, eta: float | None, k: int, width: int, steps: int) -> float:
    """The step size that is given, else that of the schedule.

    Example:
        >>> step_size("literal", eta=None, k=7, width=200, steps=500)
        0.0098
    """
    if eta is not None:
        return eta
    return 0.01 if schedule == "practical" else k**2 / (steps * math.sqrt(width / 2))


def descent(schedule: Schedule, eta: float) -> dict[str, Any]:
    """The rule of a `Descent`, and how its step size goes on."""

    if schedule == "practical":
        return {"rule": fl.Adam(eta=eta), "schedule": "linear"}
    return {"rule": fl.Plain(eta=eta), "schedule": "constant"}
