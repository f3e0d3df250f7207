"""The sizes that lemmas 7, 9 and 10 ask for alike."""

import math

from featlearn.theory import Hypothesis


def large_enough(d: int, k: int | tuple[int, ...]) -> list[Hypothesis]:
    """k >= 7 and d >= 9 log 7."""
    least = k if isinstance(k, int) else min(k)
    return [
        Hypothesis(name="k >= 7", value=least, side=">=", limit=7),
        Hypothesis(name="d >= 9 log 7", value=d, side=">=", limit=9 * math.log(7)),
    ]
