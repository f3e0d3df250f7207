r"""The number of directions around which the neurons have gathered, counted by a rule.

    u_j = w_j/||w_j||       distance of two neurons = 1 - u_j.u_l, from 0 (same) to 2 (opposite)

The rule is as follows. Neurons are joined by average linkage: the two groups with the smallest
mean distance between their members are joined first, as long as that mean is at most 1/2, that is,
a mean cosine of at least 1/2. A group counts as a cluster if it has at least a tenth of all
neurons.

Random directions in R^d have cosines of order 1/sqrt d, so before training there is no cluster
at all; neurons along ±v form two clusters. A neuron that is 0 has no direction and belongs to no
cluster.
"""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from featlearn._check import require

CUT = 0.5
"""Largest mean distance at which two groups are joined."""
LEAST = 0.1
"""Smallest share of all neurons that makes a cluster."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Gathering:
    """The clusters of neurons' directions, the largest cluster first."""

    labels: Int[np.ndarray, " neurons"]
    """The index of each neuron's cluster; -1 for a neuron in none."""
    sizes: tuple[int, ...]
    centres: Float[np.ndarray, "clusters inputs"]
    """Mean directions, of length one."""

    @property
    def count(self) -> int:
        """The number of clusters."""
        return len(self.sizes)

    @property
    def share(self) -> float:
        """The share of all neurons that are in a cluster."""
        return sum(self.sizes) / len(self.labels)


def gathering(
    w: Float[np.ndarray, "neurons inputs"], *, cut: float = CUT, least: float = LEAST
) -> Gathering:
    """Return the clusters of the neurons' directions, by the rule at the top of this module.

    Example:
        >>> w = np.array([[1.0, 0.1], [2.0, 0.0], [-1.0, 0.1], [-3.0, 0.0], [0.0, 0.0]])
        >>> found = gathering(w, least=0.3)
        >>> found.count, found.labels.tolist()
        (2, [0, 0, 1, 1, -1])
    """
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    require(0 < cut < 2, "gathering(cut)", "a distance between 0 and 2", cut)
    w = np.asarray(w, np.float64)
    norms = np.linalg.norm(w, axis=1)
    alive = np.flatnonzero(norms > 0)
    unit = w[alive] / norms[alive, None]
    groups = np.arange(len(alive))
    if len(alive) > 1:
        distances = np.clip(1 - unit @ unit.T, 0, 2)
        np.fill_diagonal(distances, 0)
        tree = linkage(squareform(distances, checks=False), method="average")
        groups = fcluster(tree, cut, criterion="distance") - 1
    counts = np.bincount(groups, minlength=1) if len(alive) else np.zeros(1, int)
    order = np.argsort(-counts, kind="stable")
    kept = [group for group in order if counts[group] >= max(1, least * len(w))]
    labels, centres = np.full(len(w), -1), np.zeros((len(kept), w.shape[1]))
    for place, group in enumerate(kept):
        members = np.flatnonzero(groups == group)
        labels[alive[members]] = place
        mean = unit[members].mean(axis=0)
        centres[place] = mean / np.linalg.norm(mean)
    return Gathering(labels=labels, sizes=tuple(int(counts[g]) for g in kept), centres=centres)
