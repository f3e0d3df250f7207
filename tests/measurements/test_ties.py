"""Ties and absolute numbers of the measurements: what counts at equality, and how much it is."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.distributions import Batch, Boolean, Clusters, LeakyParity, Parity
from featlearn.measurements import (
    ClusterTest,
    GradientError,
    HeldOut,
    Margins,
    OnPopulation,
    OnSample,
    SignalParts,
    certificate,
    certified_exponents,
    gathering,
    on_side_of,
    signal_parts,
)
from featlearn.measurements.bit_parts import BitParts, LearnedTerms
from featlearn.measurements.clusters import (
    CleanAndNoisy,
    Correlations,
    clusters_of,
    other_projection,
)
from featlearn.measurements.coverage import Coverage
from featlearn.measurements.events import crossing
from featlearn.measurements.margins import heavy
from featlearn.measurements.opposite_groups import opposite_groups
from featlearn.measurements.relevance import relevant_parts
from featlearn.measurements.sample_margins import SampleMargins, alignments, log_pull_ratio
from featlearn.measurements.share import signal_share
from featlearn.measurements.signal import Parts
from featlearn.measurements.signal_heavy import smallest_zeta
from featlearn.networks import Constant, Gaussian, Params, TwoLayer
from featlearn.training import LOSSES, gradient

KEY = jax.random.key(0)


def parts(signal: Any, opposite: Any, orthogonal: Any) -> Parts:
    one, two, three = (jnp.asarray(each, jnp.float32) for each in (signal, opposite, orthogonal))
    return Parts(along_mu1=one, along_mu2=two, signal=one, opposite=two, orthogonal=three)


def net(d: int, width: int, **more: Any) -> TwoLayer:
    return TwoLayer(d=d, width=width, w=Gaussian(sd=1.0), a=Gaussian(sd=1.0), scaling="one", **more)


def test_a_neuron_is_heavy_on_its_boundary():
    found = heavy(parts([4.0, 4.0, 4.0], [1.0, 1.0, 1.0], [0.5, 1.0, 1.5]), 0.5)
    assert found.tolist() == [True, True, False]


def test_a_neuron_without_a_side_serves_no_centre_and_one_without_a_sign_the_first_two():
    mu1, mu2 = jnp.array([1.0, -1.0]), jnp.array([1.0, 1.0])
    w = jnp.array([[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [-2.0, 2.0], [1.0, -1.0]])
    a = jnp.array([1.0, -1.0, -1.0, 0.0, 0.0])
    sides = on_side_of(signal_parts(w, a, mu1, mu2), a)
    # Neuron 0 is orthogonal to mu1, neuron 1 to mu2; 2 is at -mu2, 3 at -mu1, 4 at +mu1.
    assert sides.T.tolist() == [
        [0, 0, 0, 0],
        [0, 0, 0, 0],
        [0, 0, 0, 1],
        [0, 1, 0, 0],
        [1, 0, 0, 0],
    ]


def test_a_signal_is_found_at_the_threshold_itself():
    params = Params(w=jnp.array([[3.0, 0.0], [0.0, 4.0]]), a=jnp.ones(2))
    law = Parity(d=2, basis=jnp.array([[1.0, 1.0], [-1.0, 1.0]]) / np.sqrt(2))
    # mu1 is q1 - q2 = (sqrt 2, 0): the signals are 3 and 0, the rest is (0 + 16)/2.
    exactly = float(signal_parts(params.w, params.a, law.means[0], law.means[2]).signal[0])
    assert exactly == pytest.approx(3.0)
    for threshold, share in ((exactly, 0.5), (3.001, 0.0)):
        seen = SignalParts(law=law, threshold=threshold).measure(params, key=KEY)
        np.testing.assert_allclose(seen["found"], [share, 0, 0, 0])
    assert float(seen["rest"]) == pytest.approx(8.0)
    assert SignalParts().threshold == 0.0
    assert Margins().rho == 0.5


class Ones:
    """Points at 1 and -1 with labels +1, -1, +1, …, and a chance of .4, .3, .2, .1."""

    d = 1

    def sample(self, m, *, key):
        points = self.support()
        return Batch(x=jnp.tile(points.x, (m, 1))[:m], y=jnp.tile(points.y, m)[:m])

    def support(self):
        x = jnp.array([[1.0], [1.0], [-1.0], [-1.0]])
        return Batch(
            x=x, y=jnp.array([1.0, -1.0, 1.0, -1.0]), weight=jnp.array([0.4, 0.3, 0.2, 0.1])
        )


def test_an_output_of_zero_is_an_error_everywhere():
    # f = 3 relu(x): 3, 3, 0, 0. Hinge: 0, 4, 1, 1. Right is the first alone.
    network = net(1, 1)
    params, of = Params(w=jnp.ones((1, 1)), a=jnp.array([3.0])), LOSSES["hinge"]
    given: dict[str, Any] = {"law": Ones(), "network": network, "loss": of}
    population = OnPopulation(**given).measure(params, key=KEY)
    assert float(population["test_accuracy"]) == pytest.approx(0.4)
    assert float(population["test_loss"]) == pytest.approx(0.3 * 4 + 0.2 + 0.1)
    sample = OnSample(samples=8, **given).measure(params, key=KEY)
    assert (float(sample["train_accuracy"]), float(sample["train_loss"])) == (0.25, 1.5)
    few = OnSample(samples=8, judged=3, **given).measure(params, key=KEY)
    assert float(few["train_accuracy"]) == pytest.approx(1 / 3)
    assert float(few["train_loss"]) == pytest.approx(5 / 3)
    held = HeldOut(samples=4, **given).measure(params, key=KEY)
    assert (float(held["test_accuracy"]), float(held["test_loss"])) == (0.25, 1.5)


def test_an_output_of_zero_is_an_error_on_clusters_too():
    law, network = Clusters(d=2, sigma=0.1, flips=0.3), net(2, 2)
    still = Params(w=jnp.zeros((2, 2)), a=jnp.ones(2))
    clean = CleanAndNoisy(law=law, network=network, loss=LOSSES["logistic"], samples=50)
    seen = clean.measure(still, key=KEY)
    for name in ("train_accuracy", "clean_accuracy", "noisy_accuracy", "clean_margin"):
        assert float(seen[name]) == 0.0
    assert float(seen["train_loss"]) == pytest.approx(np.log(2))
    assert not np.any(seen["on"])
    margins = SampleMargins(law=law, network=network, samples=50).measure(still, key=KEY)
    assert float(margins["train_accuracy"]) == float(margins["log_pull_ratio"]) == 0.0
    test = ClusterTest(law=law, network=network, samples=50).measure(still, key=KEY)
    assert float(test["test_accuracy"]) == 0.0


def test_clean_and_noisy_points_have_their_own_numbers():
    law, network = Clusters(d=2, sigma=0.5, flips=0.4), net(2, 3)
    params = network.init(key=KEY)
    seen = CleanAndNoisy(law=law, network=network, loss=LOSSES["logistic"], samples=60).measure(
        params, key=KEY
    )
    draw = law.draw(60, key=KEY)
    margin = np.asarray(draw.y * network.forward(params, draw.x), float)
    noisy = np.asarray(draw.noisy)
    assert float(seen["train_loss"]) == pytest.approx(np.log1p(np.exp(-margin)).mean(), rel=1e-5)
    assert float(seen["clean_accuracy"]) == pytest.approx((margin[~noisy] > 0).mean())
    assert float(seen["noisy_accuracy"]) == pytest.approx((margin[noisy] > 0).mean())
    assert float(seen["clean_margin"]) == pytest.approx(margin[~noisy].min(), rel=1e-5)
    assert float(seen["noisy_margin"]) == pytest.approx(margin[noisy].max(), rel=1e-5)


def test_a_correlation_on_the_threshold_counts_from_either_side():
    J = clusters_of(np.array([[0.25, -0.25, 0.24], [0.0, 0.0, 0.0]]), np.ones(3), 0.25)
    assert J.astype(int).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 0]]


def test_a_neuron_of_no_set_projects_on_nothing():
    J = np.zeros((4, 2), bool)
    J[1, 0] = True
    projection = np.array([[3.0, 5.0], [-4.0, 6.0]])
    assert other_projection(projection, J).tolist() == [4.0, 0.0]


def test_correlations_are_recorded_along_the_directions():
    law, w = Clusters(d=3, sigma=0.1), jnp.array([[3.0, 0.0, 4.0], [0.0, -2.0, 0.0]])
    seen = Correlations(law=law).measure(Params(w=w, a=jnp.array([1.0, -1.0])), key=KEY)
    np.testing.assert_allclose(seen["correlation"], [[0.6, 0.0], [0.0, -1.0]], atol=1e-6)
    np.testing.assert_allclose(seen["projection"], [[3, 0], [0, -2]])
    np.testing.assert_allclose(seen["norm"], [5, 2])


def test_a_centre_is_covered_by_a_cosine_on_the_boundary():
    centres = jnp.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
    labels = jnp.array([1.0, -1.0, 1.0])
    params = Params(w=jnp.array([[0.0, 2.0], [1.0, 0.0]]), a=jnp.array([-1.0, 0.0]))
    seen = Coverage(centres=centres, labels=labels, near=1.0).measure(params, key=KEY)
    assert seen["nearest"].tolist() == [1.0, 1.0, 0.0]
    assert float(seen["covered"]) == pytest.approx(2 / 3)
    # The nearest of the first has a = 0 and carries no label; that of the third is at -1.
    assert float(seen["same_sign"]) == pytest.approx(1 / 3)
    assert Coverage().near == 0.8


@pytest.mark.parametrize(("cosine", "count"), [(0.51, 1), (0.49, 2)])
def test_two_neurons_are_one_cluster_from_a_cosine_of_one_half_on(cosine, count):
    w = np.array([[1.0, 0.0], [cosine, np.sqrt(1 - cosine**2)]])
    assert gathering(w).count == count


def test_a_tenth_of_the_neurons_is_a_cluster_and_the_largest_comes_first():
    w = np.repeat(np.array([[0.0, 2.0], [3.0, 0.0], [0.0, -1.0]]), [10, 81, 9], axis=0)
    found = gathering(w)
    assert found.sizes == (81, 10)
    np.testing.assert_allclose(found.centres, [[1, 0], [0, 1]], atol=1e-12)
    assert found.share == pytest.approx(0.91)
    assert [found.labels[i] for i in (0, 10, 99)] == [1, 0, -1]
    for wrong in (0.0, 2.0):
        with pytest.raises(InputError, match="a distance between 0 and 2"):
            gathering(w, cut=wrong)


@pytest.mark.parametrize(("filters", "members"), [(40, 4), (15, 2), (5, 2), (3, 1), (26, 3)])
def test_a_group_is_a_tenth_of_the_filters_two_at_least_and_no_more_than_half(filters, members):
    along = np.linspace(-1, 1, filters)
    found = opposite_groups(np.outer(along, along))
    ends = {tuple(range(members)), tuple(range(filters - members, filters))}
    assert {tuple(found.green.tolist()), tuple(found.red.tolist())} == ends


def test_a_certificate_in_numbers():
    # (3)^2/(2 (2/4)^2) = 18; no margin, no certificate.
    exponents = certified_exponents(jnp.array([3.0, 0.0, -3.0]), jnp.float32(2.0), 0.25)
    assert exponents.tolist() == [18.0, 0.0, 0.0]
    mean = certificate.log10_certificate(jnp.array([1.0, 2.0]))
    assert float(mean) == pytest.approx(np.log10((np.exp(-1) + np.exp(-2)) / 2), rel=1e-5)


def test_one_relu_is_half_even_and_right_on_half_of_its_clusters(monkeypatch):
    law, network = Clusters(d=2, sigma=0.05), net(2, 1)
    params = Params(w=jnp.array([[1.0, 1.0]]), a=jnp.ones(1))
    # f = relu(x1 + x2) is above 0 at +mu1, where the label is +1, and at +mu2, where it is -1.
    whole = ClusterTest(law=law, network=network, samples=401).measure(params, key=KEY)
    assert whole["cluster_accuracy"].tolist() == [1.0, 0.0, 0.0, 0.0]
    monkeypatch.setattr(certificate, "SLICE_BYTES", 4 * 2 * 100)
    sliced = ClusterTest(law=law, network=network, samples=401).measure(params, key=KEY)
    drawn = [law.draw(100, key=jax.random.fold_in(KEY, i)) for i in range(5)]
    z = np.concatenate([np.asarray(each.x.sum(axis=1)) for each in drawn])[:401]
    cluster = np.concatenate([np.asarray(each.cluster) for each in drawn])[:401]
    assert float(sliced["test_accuracy"]) == pytest.approx((cluster == 0).mean())
    even = (z**2 / 4).sum() / (np.maximum(z, 0) ** 2).sum()
    assert float(sliced["even_share"]) == pytest.approx(even, rel=1e-5)
    assert even == pytest.approx(0.5, abs=0.15)
    # ||a|| ||W|| = sqrt 2; E y f = 1 at +mu1,
    np.testing.assert_allclose(whole["expected_margin"][0], 1.0, rtol=1e-6)
    # and exp(-100) there; the three others are not certified.
    assert float(whole["log10_certificate"]) == pytest.approx(np.log10(0.75), abs=1e-5)


def test_the_error_of_a_gradient_in_absolute_numbers():
    law = LeakyParity(d=5, k=3)
    network = net(5, 4)
    params, of = network.init(key=KEY), LOSSES["hinge"]
    seen = GradientError(batch=30, law=law, network=network, loss=of).measure(params, key=KEY)
    one, two = (
        np.concatenate([np.ravel(leaf) for leaf in jax.tree.leaves(found)])
        for found in (
            gradient(network, of, params, law.sample(30, key=key))
            for key in jax.random.split(jax.random.fold_in(KEY, 1))
        )
    )
    norm = np.linalg.norm
    expected = norm(one - two) / np.sqrt(2) / (norm(one + two) / 2)
    assert float(seen["gradient_error"]) == pytest.approx(expected, rel=1e-5)


def test_relevant_weights_in_numbers():
    found = relevant_parts(jnp.array([[1.0, 7.0, -2.0, -9.0, 4.0]]), (0, 2, 4))
    assert [float(v[0]) for v in (found.mean, found.spread, found.outside)] == [1.0, 6.0, 9.0]
    assert float(found.cos[0]) == pytest.approx(3 / np.sqrt(3) / np.sqrt(151), rel=1e-6)


def test_bits_without_others_have_no_length_outside():
    found = BitParts(law=Boolean(d=2, target="x1*x2")).measure(
        Params(w=jnp.array([[3.0, 4.0]]), a=jnp.ones(1), b=jnp.array([7.0])), key=KEY
    )
    assert float(found["on_others"]) == float(found["outside"][0]) == 0.0
    assert found["b"].tolist() == [7.0]
    assert LearnedTerms().samples == 4000


def test_the_second_clause_of_signal_heavy_asks_for_balanced_layers():
    # Four neurons of pure signal, |w|^2 = 2, a^2 = 1: the first clause asks for nothing, the
    # second for zeta H >= E|w|^2 - E a^2 = 1.
    mu = jnp.array([[1.0, -1.0], [-1.0, 1.0], [1.0, 1.0], [-1.0, -1.0]])
    a = jnp.array([1.0, 1.0, -1.0, -1.0])
    split = signal_parts(mu, a, mu[0], mu[2])
    assert float(smallest_zeta(split, a, 0.25)) == pytest.approx(4.0, rel=1e-5)
    assert float(smallest_zeta(split, a, 0.0)) == pytest.approx(0.0, abs=1e-6)
    # With a fifth neuron outside: its mass 1/5 over the least margin sqrt 2 sqrt 2/5 is 1/2.
    w = jnp.concatenate([mu, jnp.array([[0.0, 0.0]])])
    more = jnp.append(a, 1.0)
    extra = signal_parts(w, more, mu[0], mu[2])
    extra = Parts(**{**vars(extra), "orthogonal": extra.orthogonal.at[4].set(1.0)})
    assert float(smallest_zeta(extra, more, 0.0)) == pytest.approx(0.5, rel=1e-5)


def test_a_neuron_without_a_sign_is_aligned_with_the_second_direction():
    assert alignments(jnp.array([[3.0, 4.0]]), jnp.zeros(1), jnp.eye(2))[0] == pytest.approx(0.64)


def test_the_ratio_of_pulls_in_numbers():
    margins = jnp.array([1.0, -2.0, 0.5])
    expected = np.log((1 + np.exp(1.0)) / (1 + np.exp(-2.0)))
    assert float(log_pull_ratio(margins)) == pytest.approx(expected, rel=1e-6)
    far = jnp.array([40.0, -3.0])
    assert float(log_pull_ratio(far)) == pytest.approx(40 - np.log1p(np.exp(-3.0)), rel=1e-6)


def test_a_share_ignores_length_and_order_of_the_directions():
    w = jnp.array([[1.0, 2.0, 2.0], [0.0, 0.0, 5.0]])
    found = signal_share(w, jnp.array([[0.0, 3.0, 0.0], [7.0, 1.0, 0.0]]))
    np.testing.assert_allclose(found, [5 / 9, 0.0], atol=1e-6)


def test_a_crossing_looks_only_at_what_failed_before():
    at = np.array([0.0, 10.0])
    rising, always = np.array([[0.0, 4.0]]), np.array([[5.0, 1.0]])
    # The second holds all the time: only the first decides, a quarter of the way.
    assert crossing(at, [(rising, 1.0, ">="), (always, 1.0, ">=")]).tolist() == [2.5]
    assert crossing(at, [(always, 4.0, "<=")]).tolist() == [2.5]


def test_margins_of_one_neuron_by_hand():
    # w = 2 mu1: w.mu1 = 4, f = a relu(w.x): 12, 0, 0, 0 at the four centres.
    network = net(2, 1)
    params = Params(w=jnp.array([[2.0, -2.0]]), a=jnp.array([3.0]))
    seen = Margins(law=Parity(d=2), network=network, loss=LOSSES["logistic"]).measure(
        params, key=KEY
    )
    assert seen["gamma"].tolist() == [12.0, 0.0, 0.0, 0.0]
    np.testing.assert_allclose(seen["g"], [1 / (1 + np.exp(12.0)), 0.5, 0.5, 0.5], rtol=1e-5)
    assert seen["gamma_heavy"].tolist() == [12.0, 0.0, 0.0, 0.0]
    two = TwoLayer(d=2, width=1, w=Constant(value=1.0), a=Constant(value=1.0), scaling="one")
    silent = Params(w=jnp.zeros((1, 2)), a=jnp.ones(1))
    told = Margins(law=Parity(d=2), network=two, loss=LOSSES["logistic"]).measure(silent, key=KEY)
    assert told["gamma_heavy"].tolist() == [0.0] * 4
    assert float(told["heavy_share"]) == 1.0  # 0 <= 0
