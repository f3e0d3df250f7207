"""The twelve targets: staircases, merged ones, leaps of 2 and 3, a tie and its perturbation.

Coefficients are generic where the theory asks for it: equal ones may tie coordinates.
"""

import featlearn as fl

TARGETS: dict[str, str] = {
    "staircase of 2": "x1 + x1*x2",
    "staircase of 3": "x1 + x1*x2 + x1*x2*x3",
    "staircase of 4": "x1 + x1*x2 + x1*x2*x3 + x1*x2*x3*x4",
    "merged": "x1 + 0.7*x2 + x1*x2*x3",
    "merged chain": "x1 + 0.8*x1*x2 + x2*x3 + 0.9*x3*x4",
    "majority of 3": "sign(x1 + x2 + x3)",
    "tied": "x1 + x2 + x1*x3 + x2*x4",
    "tie broken": "x1 + 0.6*x2 + x1*x3 + 1.4*x2*x4",
    "leap 2 from a step": "x1 + x1*x2*x3",
    "parity of 2": "x1*x2",
    "leap 3 beside a step": "x1 + x2*x3*x4",
    "parity of 3": "x1*x2*x3",
}
CLASSES = ("bounded", "logarithmic", "power")
"""How the time of the flow grows with d."""


def predicted(target: str) -> str:
    """The class that the calculator gives: by leap, ties and floor.

    Example:
        >>> predicted("x1 + x1*x2"), predicted("x1*x2"), predicted("x1*x2*x3")
        ('bounded', 'logarithmic', 'power')
    """

    law = fl.Boolean(d=20, target=target)
    if law.leap >= 3:
        return "power"
    return "logarithmic" if law.leap == 2 or law.flow_floor > 1e-9 else "bounded"
