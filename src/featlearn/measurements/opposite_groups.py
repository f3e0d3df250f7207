r"""Two opposite groups of filters, found by a rule (Shi, Wei & Liang 2022, figures 20 and 21).

G_ij   cosine of filters i and j                 e   eigenvector of G's largest eigenvalue

The paper picks by hand "points that roughly form two clusters". Here the axis of G is the
direction on which the squared projections of all unit filters have the largest sum; the coordinate
of filter i on it is sqrt(lambda) e_i, where lambda is the largest eigenvalue. The groups are the
tenths of all filters (at least two filters) with the largest and the smallest coordinates. The
group whose members are closer together is the first, "green"; the other is "red".

The filters at an end of any cloud of points are somewhat alike, so a number found by this rule
is compared with what the same rule finds among the same filters before training. The rule needs
only G, so filters of any size can be judged from a small matrix.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

SHARE = 0.1
"""The share of all filters in each group."""

Cosines = Float[np.ndarray, "filters filters"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Groups:
    """The indices of the filters in the two opposite groups, "green" and "red"."""

    green: Int[np.ndarray, " members"]
    red: Int[np.ndarray, " members"]


def opposite_groups(cosines: Cosines, share: float = SHARE) -> Groups:
    """Return the filters at the two ends of the axis along which the filters spread most.

    Example:
        >>> v = np.array([[1.0, 0.1], [1.0, 0.0], [-1.0, 0.3], [-1.0, 0.0], [0.0, 1.0]])
        >>> found = opposite_groups(cosines_of(v), share=0.4)
        >>> found.green.tolist(), found.red.tolist()
        ([0, 1], [2, 3])
    """
    along = np.linalg.eigh(np.asarray(cosines, float))[1][:, -1]
    members = min(max(2, round(share * len(along))), len(along) // 2)
    order = np.argsort(along, kind="stable")
    one, other = np.sort(order[-members:]), np.sort(order[:members])
    if to_centre(cosines, one).mean() < to_centre(cosines, other).mean():
        one, other = other, one
    return Groups(green=one, red=other)


def to_centre(
    cosines: Cosines, members: Int[np.ndarray, " members"]
) -> Float[np.ndarray, " members"]:
    """Return the cosine of every member with the mean of all members' directions.

    cos(i, c) = mean_j G_ij / sqrt(mean_jk G_jk), j and k over the members.
    """
    among = np.asarray(cosines, float)[np.ix_(members, members)]
    return among.mean(axis=1) / np.sqrt(max(among.mean(), 1e-30))


def between_centres(cosines: Cosines, groups: Groups) -> float:
    """Return the cosine of the mean directions of the two groups."""
    G = np.asarray(cosines, float)
    ends = [G[np.ix_(each, each)].mean() for each in (groups.green, groups.red)]
    across = G[np.ix_(groups.green, groups.red)].mean()
    return float(across / np.sqrt(max(ends[0] * ends[1], 1e-30)))


def nearest_to_centre(cosines: Cosines, members: Int[np.ndarray, " members"]) -> int:
    """Return the index of the member that is closest to the mean of its group."""
    return int(members[np.argmax(to_centre(cosines, members))])


def cosines_of(w: Float[np.ndarray, "filters inputs"]) -> Cosines:
    """Return all pairwise cosines of the filters; those of a filter that is 0 are 0."""
    norms = np.linalg.norm(w, axis=1, keepdims=True)
    unit = w / np.where(norms == 0, 1, norms)
    return unit @ unit.T
