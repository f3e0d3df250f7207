"""Correlations, the sets J_mu and the two conditions, on cases solved by hand."""

import jax.numpy as jnp
import numpy as np
import pytest

from featlearn.distributions import Clusters
from featlearn.measurements import (
    CleanAndNoisy,
    ClusterRule,
    activity,
    aligned,
    clusters_of,
    correlations,
    other_projection,
)
from featlearn.networks import Gaussian, Params, TwoLayer
from featlearn.training import loss


def test_correlations_are_cosines(rng):
    w, mu = rng.normal(size=(5, 7)), np.eye(2, 7)
    expected = mu @ w.T / np.linalg.norm(w, axis=1)
    assert np.allclose(correlations(jnp.asarray(w), jnp.asarray(mu)), expected, atol=1e-6)


def test_neurons_belong_to_centres_of_their_own_sign():
    correlation = np.array([[0.5, -0.5, 0.5, 0.01], [-0.6, 0.6, -0.6, 0.01]])
    a = np.array([1.0, -1.0, -1.0, 1.0])
    J = clusters_of(correlation, a, threshold=0.1)
    expected = [[1, 0, 0, 0], [0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]
    assert J.astype(int).tolist() == expected


def test_a_neuron_without_a_sign_belongs_nowhere():
    """The middle one of an odd width has a = 0."""
    assert not clusters_of(np.array([[0.5], [0.5]]), np.array([0.0]), 0.1).any()


def test_alignment_asks_for_all_of_one_cluster_and_none_of_its_opposite():
    J = np.array([[1, 1, 1], [0, 0, 0], [0, 0, 0], [0, 0, 0]], bool)
    on = np.array([[1, 0.99, 1], [0, 0, 0.01], [0.5, 0.5, 0.5], [1, 1, 1]])
    assert aligned(on, J)[0].tolist() == [True, False, False]
    assert aligned(on, J)[1:].all()


def test_other_projections_are_those_of_the_other_label():
    projection = np.array([[3.0, 0.2], [0.1, 4.0], [7.0, 0.3], [-0.4, 9.0]])
    J = np.zeros((8, 2), bool)
    J[0, 0] = True  # serves mu_1, whose others are mu_2 and mu_4
    J[7, 1] = True  # serves -mu_4, whose others are mu_1 and mu_3
    assert other_projection(projection, J).tolist() == [0.4, 0.3]


def test_activity_counts_points():
    active = np.array([[1, 0], [1, 1], [0, 1], [1, 0], [1, 1]], bool)
    cluster, noisy = np.array([0, 0, 1, 2, 3]), np.array([0, 1, 0, 0, 0], bool)
    on, edge = activity(active, cluster, noisy, 4)
    assert np.asarray(on).tolist() == [[1.0, 0.5], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    # Clean points that are on: [1, 0], [0, 1], [1, 0], [1, 1]; less the opposite cluster; over 5.
    assert np.allclose(edge, np.array([[1, -1], [-1, 1], [0, -1], [0, 1]]) / 5)


@pytest.mark.parametrize("n", [7, 300])
def test_all_of_a_cluster_is_exactly_one(n, rng):
    """Condition 9 asks for equality, which a division need not give in float32."""
    cluster = rng.integers(0, 4, n)
    on, _ = activity(np.ones((n, 3), bool), cluster, np.zeros(n, bool), 4)
    assert (np.asarray(on)[np.unique(cluster)] == 1).all()


def test_the_four_neuron_network_is_right_on_clean_and_wrong_on_noisy_points(key):
    clusters = Clusters(d=3, sigma=0.1, flips=0.3)
    network = TwoLayer(d=3, width=4, w=Gaussian(sd=1.0), a=Gaussian(sd=1.0), scaling="one")
    ideal = Params(w=clusters.means, a=clusters.mean_labels)
    measured = CleanAndNoisy(
        law=clusters, network=network, loss=loss("logistic"), samples=400
    ).measure(ideal, key=key)
    noisy = float(clusters.draw(400, key=key).noisy.mean())
    assert float(measured["clean_accuracy"]) == 1
    assert float(measured["noisy_accuracy"]) == 0
    assert float(measured["train_accuracy"]) == pytest.approx(1 - noisy)
    assert float(measured["clean_margin"]) > 0 > float(measured["noisy_margin"])
    assert (np.diag(measured["on"]) == 1).all()


def test_the_rule_is_that_network(key):
    clusters = Clusters(d=3, sigma=0.5)
    network = TwoLayer(d=3, width=4, w=Gaussian(sd=1.0), a=Gaussian(sd=1.0), scaling="one")
    x = clusters.sample(100, key=key).x
    ideal = Params(w=clusters.means, a=clusters.mean_labels)
    told = ClusterRule(law=clusters).forward((), x)
    assert np.allclose(network.forward(ideal, x), told, atol=1e-5)
