r"""Merged staircases and leaps: in which order the supports of a target can be climbed.

    S_1, S_2, …   the supports of h, of some order       new(i) = |S_i \ (S_1, …, S_(i-1))|

    leap(h) = min over orders of max_i new(i),       merged staircase: leap <= 1.

The order that always takes a support with the fewest new bits has the least maximum: if it meets
new(i) > L, the bits seen so far are all that any order can reach in steps of at most L. With
Gaussian bits new(i) counts degrees: (1, 1, 2) adds two for a new bit 1.

References:
    Abbe, Boix-Adserà & Misiakiewicz (2022), arXiv:2202.08658; (2023), arXiv:2302.11055.
"""

from collections.abc import Sequence

from featlearn.distributions.target import Support


def climb(supports: Sequence[Support]) -> tuple[tuple[Support, int], ...]:
    """The supports in the order of fewest new bits, each with the number that it adds.

    Example:
        >>> climb([(1, 2, 3), (1,), (1, 2)])
        (((1,), 1), ((1, 2), 1), ((1, 2, 3), 1))
    """
    left, seen, order = sorted(supports, key=lambda S: (len(S), S)), set[int](), []
    while left:
        added = [sum(i not in seen for i in S) for S in left]
        place = added.index(min(added))
        order.append((left[place], added[place]))
        seen |= set(left.pop(place))
    return tuple(order)


def leap(supports: Sequence[Support]) -> int:
    """The least number of bits that must be found at once.

    Example:
        >>> leap([(1,), (1, 2, 3)]), leap([(1, 2, 3, 4)]), leap([(1,), (2,), (1, 2, 3)])
        (2, 4, 1)
    """
    return max(added for _, added in climb(supports))


def reached(supports: Sequence[Support], step: int = 1) -> tuple[int, ...]:
    """The bits of the largest part that is climbed in steps of at most `step` new bits.

    Example:
        >>> reached([(1,), (1, 2), (3, 4, 1)]), reached([(1, 2)])
        ((1, 2), ())
    """
    seen: set[int] = set()
    for S, added in climb(supports):
        if added > step:
            break
        seen |= set(S)
    return tuple(sorted(seen))
