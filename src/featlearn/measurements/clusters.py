r"""Correlations of neurons with directions of clusters (Frei, Chatterji & Bartlett 2022).

w   (p, d) neurons      mu_1 … mu_k   directions; clusters in the order +mu_1, -mu_1, +mu_2, …

correlation   <w_j, mu_i>/||w_j||                    of order 1/sqrt d at a random start
J_mu          right sign of a_j, and correlation with mu at least 1/(3 C_0 sqrt d) at the start
condition 9   a neuron of J_mu is on for all of the cluster mu and off for all of -mu
condition 10  |<w_j, mu'>| <= 3 eta |a_j| for the neurons of J_mu and mu' of the other label
edge          clean points of mu on which a neuron is on, less those of -mu (lemma 6)
"""

from typing import cast

import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Bool, Float, Int, Key, PyTree

from featlearn._record import bound, record
from featlearn.distributions import Clusters
from featlearn.distributions.clusters import DrawsClusters
from featlearn.networks import Params, TwoLayer
from featlearn.training import Loss, Quantity, TurnedSample

Numbers = Array | np.ndarray


def correlations(
    w: Float[Numbers, "neurons inputs"], directions: Float[Numbers, "k inputs"]
) -> Float[Numbers, "k neurons"]:
    """Return the cosine of every neuron with every direction; it is 0 for a neuron that is 0.

    Example:
        >>> correlations(jnp.array([[3.0, 4.0], [0.0, 0.0]]), jnp.eye(2)).tolist()
        [[0.6000000238418579, 0.0], [0.800000011920929, 0.0]]
    """
    norms = jnp.linalg.norm(w, axis=1)
    return (directions @ w.T) / jnp.where(norms > 0, norms, 1.0)


def clusters_of(
    correlation: Float[np.ndarray, "k neurons"],
    a: Float[np.ndarray, " neurons"],
    threshold: float,
) -> Bool[np.ndarray, "clusters neurons"]:
    """Return which neurons are in J_mu for every cluster mu, from the correlations at the start.

    Args:
        correlation: with the k directions.
        a: second layer; + neurons serve the 1st, 3rd, … direction, - neurons the 2nd, 4th, …
        threshold: 1/(3 C_0 sqrt d) in lemma 4.

    Example:
        >>> clusters_of(np.array([[0.2, 0.2], [-0.3, -0.3]]), np.array([1.0, -1.0]), 0.1) * 1
        array([[1, 0], [0, 0], [0, 0], [0, 1]])
    """
    labels = 1 - 2 * (np.arange(len(correlation)) % 2)
    right = labels[:, None] * a > 0
    sides = np.stack([correlation >= threshold, -correlation >= threshold], axis=1)
    return (right[:, None] & sides).reshape(2 * len(correlation), -1)


def aligned(
    on: Float[np.ndarray, "clusters neurons"], J: Bool[np.ndarray, "clusters neurons"]
) -> Bool[np.ndarray, "clusters neurons"]:
    """Whether condition 9 holds for each neuron: it is active on all of mu and on none of -mu.

    Args:
        on: the share of a cluster's points on which a neuron is on.
        J: which neurons the condition is asked of; true for all others.
    """
    opposite = on.reshape(-1, 2, on.shape[1])[:, ::-1].reshape(on.shape)
    return ~J | ((on == 1) & (opposite == 0))


def other_projection(
    projection: Float[np.ndarray, "k neurons"], J: Bool[np.ndarray, "clusters neurons"]
) -> Float[np.ndarray, " neurons"]:
    """Return the largest |<w_j, mu'>| over directions mu' of the other label.

    It is 0 for neurons that are in no J_mu.
    """
    k = len(projection)
    differ = (np.arange(k)[:, None] - np.arange(k)) % 2 == 1
    serves = J.reshape(k, 2, -1).any(axis=1)
    largest = np.stack([np.abs(projection[row]).max(axis=0) for row in differ])
    return np.where(serves, largest, 0.0).max(axis=0)


@record(numbers=("law",))
class Correlations:
    """Records <w, mu> and <w, mu>/||w|| for each direction and neuron, and each neuron's norm."""

    law: Clusters | None = None
    any_basis = True

    @property
    def quantities(self) -> dict[str, Quantity]:
        """The recorded quantities, by name."""
        both = ("direction", "neuron")
        return {
            "correlation": Quantity(dims=both, meaning="<w, mu>/||w||"),
            "projection": Quantity(dims=both, meaning="<w, mu>"),
            "norm": Quantity(dims=("neuron",), meaning="norm of w"),
            "a": Quantity(dims=("neuron",), meaning="second-layer weight"),
        }

    def measure(self, params: Params, *, key: Key[Array, ""]) -> dict[str, Array]:
        """Return the recorded arrays, which are computed from the weights alone."""
        directions = bound(self.law, "Correlations", "a law").means[::2]
        return {
            "correlation": correlations(params.w, directions),
            "projection": directions @ params.w.T,
            "norm": jnp.linalg.norm(params.w, axis=1),
            "a": params.a,
        }


@record(numbers=("law", "network"))
class CleanAndNoisy:
    """Records loss, accuracy and margins on clean and noisy points of the sample, and activity."""

    law: Clusters | TurnedSample | None = None
    network: TwoLayer | None = None
    loss: Loss | None = None
    samples: int | None = None
    """The number of points in the training sample."""
    stream = "sample"
    any_basis = True

    @property
    def quantities(self) -> dict[str, Quantity]:
        """The recorded quantities, by name."""
        both = ("cluster", "neuron")
        return {
            "train_loss": Quantity(
                dims=(), meaning="mean loss on the training sample", finite=True
            ),
            "train_accuracy": Quantity(dims=(), meaning="share of the sample with y f(x) > 0"),
            "clean_accuracy": Quantity(dims=(), meaning="the same among the clean points"),
            "noisy_accuracy": Quantity(
                dims=(), meaning="the same among the noisy points: the flips that are fitted"
            ),
            "clean_margin": Quantity(dims=(), meaning="least y f(x) of a clean point"),
            "noisy_margin": Quantity(dims=(), meaning="largest y f(x) of a noisy point"),
            "on": Quantity(dims=both, meaning="share of the cluster's points a neuron is on for"),
            "edge": Quantity(
                dims=both, meaning="clean points on in the cluster less the opposite one, over n"
            ),
        }

    def measure(self, params: Params, *, key: Key[Array, ""]) -> dict[str, Array]:
        """Return the recorded arrays; drawing the sample again is cheaper than storing it."""
        law = cast(DrawsClusters, bound(self.law, "CleanAndNoisy", "a law"))
        network = bound(self.network, "CleanAndNoisy", "a network")
        loss, n = bound(self.loss, "CleanAndNoisy", "a loss"), self.samples
        draw = law.draw(bound(n, "CleanAndNoisy", "a sample"), key=key)
        z = network.preactivations(params, draw.x)
        f = network.readout(params, network.activation.value(z))
        margin, noisy = draw.y * f, draw.noisy
        right = (margin > 0).astype(f.dtype)
        on, edge = activity(z > 0, draw.cluster, noisy, len(law.mean_labels))
        return {
            "train_loss": jnp.mean(loss.value(f, draw.y)),
            "train_accuracy": jnp.mean(right),
            "clean_accuracy": _share(right, ~noisy),
            "noisy_accuracy": _share(right, noisy),
            "clean_margin": jnp.min(jnp.where(noisy, jnp.inf, margin)),
            "noisy_margin": jnp.max(jnp.where(noisy, margin, -jnp.inf)),
            "on": on,
            "edge": edge,
        }


def activity(
    active: Bool[Numbers, "samples neurons"],
    cluster: Int[Numbers, " samples"],
    noisy: Bool[Numbers, " samples"],
    clusters: int,
) -> tuple[Float[Array, "clusters neurons"], Float[Array, "clusters neurons"]]:
    """Return the fraction of each cluster's points on which a neuron is active, and its edge.

    The edge is the number of clean points of the cluster on which the neuron is active, less those
    of the opposite cluster, divided by n.
    """
    members = (jnp.arange(clusters)[:, None] == cluster).astype(float)
    active = jnp.asarray(active, members.dtype)
    clean = (members * ~noisy) @ active / len(noisy)
    opposite = clean.reshape(-1, 2, clean.shape[1])[:, ::-1].reshape(clean.shape)
    counts, ons = members.sum(axis=1, keepdims=True), members @ active
    # All of them is 1 exactly, which a division that is done as a multiplication need not give.
    return jnp.where(ons == counts, 1.0, ons / jnp.maximum(counts, 1)), clean - opposite


def _share(right: Float[Array, " samples"], among: Bool[Array, " samples"]) -> Float[Array, ""]:
    """Return the mean of `right` over the points in `among`; NaN if there are none."""
    return jnp.sum(right * among) / jnp.sum(among)


@record(numbers=("law",))
class ClusterRule:
    """The rule sgn(|mu_1.x| - |mu_2.x|) of appendix D, with the interface of a network."""

    law: Clusters | None = None
    trained: tuple[str, ...] = ()
    """The parts that are trained: none."""
    rate: float = 1.0
    """What multiplies gradients; it has no effect, since nothing is trained."""

    def init(self, *, key: Key[Array, ""]) -> tuple[()]:
        """Return no parameters: the rule has none."""
        return ()

    def forward(
        self, params: PyTree, x: Float[Array, "samples inputs"]
    ) -> Float[Array, " samples"]:
        """Return |mu_1.x| - |mu_2.x|; `params` are not used."""
        return bound(self.law, "ClusterRule", "a law").classify(x)
