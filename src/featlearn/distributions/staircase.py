r"""Merged staircases and leaps: how many new bits at a time the supports of a target require.

    S_1, S_2, …   the supports of h, in some order       new(i) = |S_i \ (S_1, …, S_(i-1))|

    leap(h) = min over orders of max_i new(i),       merged staircase: leap <= 1.

The supports of a target h are the sets of bits whose products have coefficients other than 0. The
order that always takes a support with the fewest new bits next has the least maximum: if it meets
new(i) > L, the bits seen so far are all that any order can reach in steps of at most L. With
Gaussian bits a support may repeat a bit, and new(i) counts repetitions: if bit 1 is new, it
contributes two to new(i) of the support (1, 1, 2).

References:
    Abbe, Boix-Adserà & Misiakiewicz (2022), arXiv:2202.08658; (2023), arXiv:2302.11055.
"""

from collections.abc import Sequence

from featlearn.distributions.target import Support


def climb(supports: Sequence[Support]) -> tuple[tuple[Support, int], ...]:
    """Return pairs of a support and the number of new bits that it adds.

    The next support is always one with the fewest new bits.

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
    """Return the largest number of new bits that a support adds, in the best order of the supports.

    Example:
        >>> leap([(1,), (1, 2, 3)]), leap([(1, 2, 3, 4)]), leap([(1,), (2,), (1, 2, 3)])
        (2, 4, 1)
    """
    return max(added for _, added in climb(supports))


def reached(supports: Sequence[Support], step: int = 1) -> tuple[int, ...]:
    """Return the bits of all supports that are reached in steps of at most `step` new bits.

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
