r"""The floor of proposition F.1 along the decades: the network on a sample of d/log^2 d points.

The proposition is about Boolean XOR on two random coordinates; with Gaussian noise in the others
the same learner can be tried at any d (`featlearn.training.turned_sample`). A claim about all
learners: an error below 3 % would contradict it, and nothing confirms it.
"""

import numpy as np

from featlearn.figures.record import Axis, Panel, Series
from featlearn.papers.glasgow2023.statements.proposition_f_1 import FLOOR, allowed
from featlearn.papers.glasgow2023.xor import XOR
from featlearn.reproduction.item import Context
from featlearn.reproduction.rows import conclusion
from featlearn.results.ledger import Row, ours, side_of

STEPS = 80
"""Full-batch steps."""


def measure(context: Context, seeds_at: dict[int, int], width: int) -> dict[int, np.ndarray]:
    """Errors of the network on d/log^2 d points at every d, one a seed."""
    errors = {}
    for d, seeds in seeds_at.items():
        result = context.lab.run(
            XOR,
            seeds=seeds,
            d=d,
            noise="gaussian",
            width=width,
            samples=allowed(d),
            steps=STEPS,
            records=2,
            test=1000,
        )
        errors[d] = 1 - result.dataset["test_accuracy"].isel(step=-1).values.astype(float)
    return errors


def rows(context: Context, errors: dict[int, np.ndarray], item: str) -> list[Row]:
    """The floor of proposition F.1: one below 3 % would contradict it."""
    return [
        conclusion(
            context,
            item,
            f"error on d/log² d points, d = {d:.0e}",
            each,
            f"at least {FLOOR}",
            side_of(ours(each), FLOOR),
            recipe="proposition F.1",
            why=f"{allowed(d)} points; one learner, where the claim is about all",
        )
        for d, each in errors.items()
    ]


def panel(errors: dict[int, np.ndarray]) -> Panel:
    """The errors against d, beside the floor."""
    d, values = np.array(list(errors), float), list(errors.values())
    wrong = Series(
        name="network",
        x=d,
        y=np.array([each.mean() for each in values]),
        low=np.array([each.min() for each in values]),
        high=np.array([each.max() for each in values]),
        role="network",
    )
    least = Series(name="3 % (proposition F.1)", x=d, y=np.full(len(d), FLOOR), role="floor")
    return Panel(
        x=Axis(label="input dimension d", scale="log"),
        y=Axis(label="error on d/log² d points", limits=(0.0, 0.6)),
        series=(wrong, least),
        title="Fewer samples than the floor",
    )
