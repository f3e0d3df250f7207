"""The least number of samples at which a kernel is accurate enough, by bisection.

The samples are nested: a sample of n points has the first n points of one long draw. The bisection
is in log n.
"""

from featlearn.baselines.bisection import bisected
from featlearn.baselines.family import Family
from featlearn.baselines.fit import fit
from featlearn.distributions import Batch


def least_samples(
    kernel: Family,
    points: Batch,
    test: Batch,
    *,
    level: float,
    ridge: float,
    low: int,
    start: int,
    tolerance: float = 0.05,
) -> float:
    """Return the least n, up to a ratio, at which kernel ridge regression reaches an accuracy.

    Args:
        kernel: what is fitted.
        points: as many as may be tried; NaN is returned where all of them do not suffice.
        test: points on which accuracy is measured.
        level: the accuracy to reach.
        ridge: half of what is added to the diagonal of every kernel matrix, over the mean of
            K(x, x). The loss is (f - y)^2/2, so that `fit` calls this ridge/n.
        low: n below which nothing is tried.
        start: the n to begin with.
        tolerance: how exactly n is wanted.
    """

    def enough(n: int) -> bool:
        batch = Batch(x=points.x[:n], y=points.y[:n])
        chosen = fit(kernel, batch, validation=test, grid=(ridge / n,), form="kernel").chosen
        assert chosen.validation is not None
        return 1 - chosen.validation.error >= level

    return bisected(enough, low=low, start=start, high=len(points.y), near=tolerance)
