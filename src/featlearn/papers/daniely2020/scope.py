"""The sizes that lemmas 7, 9 and 10 ask for alike."""

import math

from featlearn.theory import Assumption


def large_enough(d: int, k: int | tuple[int, ...]) -> list[Assumption]:
    """k >= 7 and d >= 9 log 7."""
    least = k if isinstance(k, int) else min(k)
    return [
        Assumption(name="k >= 7", holds=least >= 7, detail=f"k = {k}"),
        Assumption(name="d >= 9 log 7", holds=d >= 9 * math.log(7), detail=f"d = {d}"),
    ]
