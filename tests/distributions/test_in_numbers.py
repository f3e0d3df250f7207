"""Truths in absolute numbers, streams that are independent, and sizes at their limits."""

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn._check import InputError
from featlearn.distributions import (
    Boolean,
    Clusters,
    Codes,
    GaussianParity,
    LeakyParity,
    Parity,
    Patterns,
    coherence,
    independent,
    mixture,
    random_codes,
    rotation,
)
from featlearn.distributions.clusters import _upper_tail
from featlearn.distributions.staircase import climb, leap, reached
from featlearn.distributions.symmetries import conditional_variance, floor, ties
from featlearn.distributions.target import target_of

KEY = jax.random.key(0)


@pytest.mark.parametrize("corruption", ["random", "adversarial"])
def test_cluster_noise_and_flips_come_from_streams_of_their_own(corruption):
    m = 4000
    clusters = Clusters(d=3, sigma=1.0, flips=0.3, corruption=corruption)
    draw = clusters.draw(m, key=KEY)
    z = np.asarray(draw.x - clusters.means[draw.cluster], float)
    noisy, cluster = np.asarray(draw.noisy, float), np.asarray(draw.cluster, float)
    # Five standard errors of a correlation of independent numbers.
    assert abs(np.corrcoef(cluster, z[:, 2])[0, 1]) < 5 / math.sqrt(m)
    assert abs(np.corrcoef(cluster, noisy)[0, 1]) < 5 / math.sqrt(m)
    assert abs(np.corrcoef(noisy, z[:, 2])[0, 1]) < 5 / math.sqrt(m)
    if corruption == "random":  # one key for both would give entry i of the noise to point i
        assert abs(np.corrcoef(noisy, z.ravel()[:m])[0, 1]) < 5 / math.sqrt(m)


@pytest.mark.parametrize(
    ("noise", "z", "tail"),
    [
        ("gaussian", 1.0, 0.158655254),
        ("cube", 0.0, 0.5),
        ("cube", math.sqrt(3) / 2, 0.25),
        ("laplace", 0.0, 0.5),
        ("laplace", 1 / math.sqrt(2), 1 / (2 * math.e)),
        ("laplace", -1 / math.sqrt(2), 1 - 1 / (2 * math.e)),
        # In one dimension the ball is the interval [-sqrt 3, sqrt 3].
        ("ball", math.sqrt(3) / 2, 0.25),
        ("ball", 9.0, 0.0),
    ],
)
def test_the_tail_of_each_noise_in_numbers(noise, z, tail):
    assert float(_upper_tail(noise, jnp.array([z]), 1)[0]) == pytest.approx(tail, abs=1e-6)


def test_truths_of_the_clusters_in_numbers():
    clusters = Clusters(d=5, sigma=0.5, flips=(0.1, 0.2, 0.3, 0.4))
    # q = 1/(.5 sqrt 2): Phi(q) = .9213504.
    p = 2 * 0.9213503965 * (1 - 0.9213503965)
    assert clusters.classifier_error == pytest.approx(p)
    assert clusters.floor == pytest.approx(np.mean([e + (1 - 2 * e) * p for e in clusters.flips]))  # type: ignore[union-attr]
    assert clusters.second_moment == 1 + 5 * 0.25
    assert clusters.flip_rate == pytest.approx(0.25)
    assert clusters.in_dimensions(9).d == 9
    assert clusters.noise_sd == 0.5
    assert Clusters(d=2, sigma=0.5, noise="cube").noise_sd is None
    turned = jnp.array([[0.0, 1.0], [1.0, 0.0]])
    assert Clusters(d=2, sigma=0.5, directions=turned).noise_sd == 0.5
    adversarial = Clusters(d=2, sigma=0.5, flips=0.1, directions=turned, corruption="adversarial")
    assert adversarial.noise_sd is None
    rule = Clusters(d=4, sigma=0.5, k=4).classify(jnp.array([[1.0, -5.0, 3.0, 2.0]]))
    assert rule.tolist() == [3.0 - 5.0]


def test_names_of_clusters_and_directions():
    assert Clusters(d=2, sigma=1.0).labels == {
        "cluster": ("+mu1", "-mu1", "+mu2", "-mu2"),
        "direction": ("mu1", "mu2"),
    }
    assert Parity(d=3, k=3).labels["cluster"][:4] == ("---", "+--", "-+-", "++-")
    assert len(Parity(d=10, k=10).labels["cluster"]) == 1024
    assert Parity(d=11, k=11).labels == {}


def eye(d: int, off: float) -> jax.Array:
    """An identity with one entry that is off."""
    return jnp.eye(d).at[0, 1].set(off)


@pytest.mark.parametrize(
    ("allowed", "refused"),
    [
        (lambda: Parity(d=2, k=2), lambda: Parity(d=2, k=3)),
        (lambda: Parity(d=2, k=1), lambda: Parity(d=2, k=0)),
        (lambda: Parity(d=3, basis=eye(3, 0.9e-4)), lambda: Parity(d=3, basis=eye(3, 1.1e-4))),
        (lambda: Clusters(d=2, sigma=1.0), lambda: Clusters(d=2, sigma=1.0, k=1)),
        (
            lambda: Clusters(d=2, sigma=1.0, directions=eye(2, 0.9e-4)),
            lambda: Clusters(d=2, sigma=1.0, directions=eye(2, 1.1e-4)),
        ),
        (lambda: Clusters(d=2, sigma=1.0, flips=0.0), lambda: Clusters(d=2, sigma=1.0, flips=-0.1)),
        (lambda: LeakyParity(d=3, k=3), lambda: LeakyParity(d=3, k=5)),
        (lambda: LeakyParity(d=3, k=1), lambda: LeakyParity(d=3, k=-1)),
        (
            lambda: LeakyParity(d=3, k=1, relevant=(2,)),
            lambda: LeakyParity(d=3, k=1, relevant=(-1,)),
        ),
        (lambda: GaussianParity(d=2, k=2), lambda: GaussianParity(d=2, k=3)),
        (lambda: GaussianParity(d=2, k=1), lambda: GaussianParity(d=2, k=0)),
        (lambda: mixture(d=2, dictionary=2, k=2), lambda: mixture(d=2, dictionary=2, k=3)),
        (lambda: mixture(d=2, dictionary=2, k=1), lambda: mixture(d=2, dictionary=2, k=0)),
        (
            lambda: independent(d=2, dictionary=2, k=1, p_a=0.99),
            lambda: independent(d=2, dictionary=2, k=1, p_a=1.0),
        ),
        (
            lambda: independent(d=2, dictionary=2, k=1, positive=(0, 1)),
            lambda: independent(d=2, dictionary=2, k=1, positive=(0, 0)),
        ),
        (
            lambda: independent(d=2, dictionary=2, k=1, positive=(0,)),
            lambda: independent(d=2, dictionary=2, k=1, positive=(-1,)),
        ),
        (lambda: Boolean(d=2, target="x1*x2"), lambda: Boolean(d=1, target="x1*x2")),
        (
            lambda: Boolean(d=2, target="x1", task="classification", flips=0.49),
            lambda: Boolean(d=2, target="x1", task="classification", flips=0.5),
        ),
        (
            lambda: Boolean(d=2, target="x1", relevant=(1,)),
            lambda: Boolean(d=2, target="x1", relevant=(2,)),
        ),
        (
            lambda: Boolean(d=2, target="x1", relevant=(0,)),
            lambda: Boolean(d=2, target="x1", relevant=(-1,)),
        ),
    ],
)
def test_a_size_on_its_limit_is_taken_and_the_next_one_is_not(allowed, refused):
    allowed()
    with pytest.raises(InputError):
        refused()


def table(**changes):
    fields = {"d": 2, "dictionary": 2, "k": 1, "positive": (1,), "joint": ((0.5, 0.5),)}
    return Patterns(**{**fields, "rates": (0.5,), **changes})


@pytest.mark.parametrize(
    ("allowed", "refused"),
    [
        ({"joint": ((0.5, 0.5 + 0.9e-9),)}, {"joint": ((0.5, 0.5 + 1.1e-9),)}),
        ({"joint": ((0.0, 1.0),)}, {"joint": ((-0.1, 1.1),)}),
        ({"rates": (0.0,)}, {"rates": (-0.1,)}),
        ({"rates": (1.0,)}, {"rates": (1.1,)}),
        ({"sigma": 0.0}, {"sigma": -1.0}),
        ({}, {"rates": (0.5, 0.5)}),
        ({"d": 2}, {"d": 1}),
    ],
)
def test_a_table_is_one_of_probabilities(allowed, refused):
    table(**allowed)
    with pytest.raises(InputError):
        table(**refused)


def test_a_support_is_written_down_up_to_its_limit(monkeypatch):
    for module, at, beyond in (
        ("parity", Parity(d=4), Parity(d=5)),
        ("leaky_parity", LeakyParity(d=4, k=1), LeakyParity(d=5, k=1)),
        ("dictionary", mixture(d=4, dictionary=4, k=1), mixture(d=5, dictionary=5, k=1)),
    ):
        monkeypatch.setattr(f"featlearn.distributions.{module}.ENUMERABLE", 4)
        assert len(at.support().y) == 16
        with pytest.raises(InputError):
            beyond.support()


def test_the_best_threshold_of_each_half():
    # k = 3, all bits fair: 1, 3, 3, 1 eighths with labels -, +, -, +: + below two is right on 6.
    assert LeakyParity(d=5, k=3, half="uniform").monotone_accuracy == 6 / 8
    assert LeakyParity(d=5, k=3, half="leaky").monotone_accuracy == 1.0
    assert LeakyParity(d=4, k=3).size == 0.5
    assert LeakyParity(d=4, k=3, scale=2.0).size == 2.0
    assert LeakyParity(d=9, k=3).of_half("leaky").half == "leaky"


def test_gaussian_parity_in_numbers():
    law = GaussianParity(d=18, k=2, sigma_r=1.5)
    assert law.sigma == law.noise_sd == pytest.approx(0.5)
    more = law.in_dimensions(50)
    assert more.d == 50
    assert more.sigma == pytest.approx(0.5)
    q = 0.022750131948  # Phi(-2)
    assert law.bayes_error == pytest.approx(2 * q * (1 - q))
    assert law.relevant_directions.tolist() == np.eye(2, 18).tolist()
    assert GaussianParity(d=4, k=1).sigma_r == 1.0


def test_signs_and_noise_of_gaussian_parity_come_from_two_streams():
    batch = GaussianParity(d=1, k=1, sigma_r=0.5).sample(4000, key=KEY)
    noise = np.asarray(batch.x[:, 0] - batch.y)
    assert abs(np.corrcoef(noise, np.asarray(batch.y))[0, 1]) < 5 / math.sqrt(4000)
    assert noise.std() == pytest.approx(0.5, rel=0.06)


def test_codes_in_numbers():
    law = Codes(
        d=5,
        dictionary=4,
        codes=jnp.array([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [1.0, 0.0]]),
        labels=jnp.array([1.0, 1.0, -1.0, -1.0]),
    )
    # Rates 3/4 and 1/4, two fair bits: 3/16 + 3/16 + 2/4.
    assert float(law.input_sd) == pytest.approx(math.sqrt(0.875))
    # E y phi = (1 + 1 - 0 - 1)/4 and (0 + 1)/4, E y = 0.
    np.testing.assert_allclose(law.label_covariance, [0.25, 0.25])
    unbalanced = Codes(d=2, dictionary=2, codes=law.codes, labels=jnp.array([1.0, 1.0, 1.0, -1.0]))
    # E y = 1/2: (2 - 1)/4 - 1/2 3/4 and 1/4 - 1/2 1/4.
    np.testing.assert_allclose(unbalanced.label_covariance, [-0.125, 0.125])
    np.testing.assert_allclose(law.means[0] * law.input_sd, [0.25, -0.25, 0, 0, 0], atol=1e-6)
    for d, dictionary in ((5, 1), (3, 4)):
        with pytest.raises(InputError):
            Codes(d=d, dictionary=dictionary, codes=law.codes, labels=law.labels)
    drawn = random_codes(d=6, dictionary=5, k=3, per_label=4, key=KEY)
    assert drawn.labels.tolist() == [1.0] * 4 + [-1.0] * 4
    assert set(np.unique(drawn.codes)) == {0.0, 1.0}


def test_every_code_and_every_bit_is_drawn_with_its_chance():
    law = Codes(d=2, dictionary=2, codes=jnp.array([[0.0], [1.0], [1.0]]), labels=-jnp.ones(3))
    batch = law.sample(9000, key=KEY)
    first, rest = np.asarray(batch.x * law.input_sd, float).T
    assert np.mean(first > 0) == pytest.approx(2 / 3, abs=5 * math.sqrt(2 / 9 / 9000))
    np.testing.assert_allclose(np.abs(rest), 0.5, rtol=1e-5)
    assert abs(np.corrcoef(first, rest)[0, 1]) < 5 / math.sqrt(9000)


def test_assumptions_of_the_patterns_fail_where_they_do():
    parity = mixture(d=9, dictionary=9, k=3).truth
    assert (parity.balanced, parity.correlated, parity.unstructured) == (True, True, False)
    plain = independent(d=9, dictionary=9, k=3).truth
    assert (plain.balanced, plain.correlated, plain.unstructured) == (True, False, True)
    even = independent(d=9, dictionary=9, k=2, positive=(0,)).truth
    assert (even.balanced, even.correlated, even.positive_share) == (False, False, 0.25)
    assert even.class_weights == pytest.approx((1 / 1.5, 2.0))
    biased = independent(d=9, dictionary=9, k=2, p_o=0.4).truth
    assert not biased.unstructured
    assert biased.relevant_rate == pytest.approx(0.5)
    assert biased.mean_bits.tolist() == pytest.approx([0.5] * 2 + [0.4] * 7)
    one = independent(d=4, dictionary=4, k=1, p_a=0.3, positive=(1,)).truth
    # y = 2 phi - 1: Cov = 2 .3 .7; with classes .3 and .7 the contrast is that over 4 .21.
    assert one.label_covariance == pytest.approx(0.42)
    assert one.label_contrast == pytest.approx(0.5)


def test_the_share_of_a_class_needs_two_classes():
    for positive in ((0, 1), ()):
        one = independent(d=2, dictionary=2, k=1, positive=positive)
        with pytest.raises(InputError, match="two classes that both occur"):
            one.with_negative_share(0.5)
    two = independent(d=2, dictionary=2, k=1, p_a=0.2, positive=(1,))
    for share in (0.0, 1.0):
        with pytest.raises(InputError, match="between 0 and 1"):
            two.with_negative_share(share)
    assert two.with_negative_share(0.3).truth.positive_share == pytest.approx(0.7)


def test_patterns_with_noise_are_normalised_with_it():
    law = independent(d=3, dictionary=2, k=1, sigma=2.0)
    assert law.truth.input_sd == pytest.approx(math.sqrt(0.25 + 0.25 + 3 * 4.0))
    assert law.noisy
    with pytest.raises(InputError):
        _ = law.bayes_error
    matrix = jnp.array([[1.0, 0.6], [0.0, 0.8]])
    assert coherence(matrix) == pytest.approx(math.sqrt(2) * 0.6)
    turned = independent(d=2, dictionary=2, k=1, matrix=matrix)
    assert turned.direction.tolist() == [1.0, 0.0]
    assert turned.relevant_directions.tolist() == [[1.0, 0.0]]
    # tr(M C M^T) with C = I/4 and unit columns.
    assert turned.truth.input_sd == pytest.approx(math.sqrt(0.5))


def test_a_parity_of_two_laws_draws_each_from_its_own_stream():
    batch = Parity(d=2, k=1, signal="gaussian", noise="gaussian").sample(4000, key=KEY)
    assert abs(np.corrcoef(np.asarray(batch.x).T)[0, 1]) < 5 / math.sqrt(4000)
    mixed = Boolean(d=2, target="x1", noise="gaussian").sample(4000, key=KEY)
    assert abs(np.corrcoef(np.asarray(mixed.x).T)[0, 1]) < 5 / math.sqrt(4000)
    assert Parity(d=2, noise="gaussian").noise_sd == 1.0
    assert Parity(d=2).noise_sd is None


def test_flips_do_not_depend_on_the_points():
    m = 4000
    batch = Boolean(d=3, target="x1", task="classification", flips=0.3).sample(m, key=KEY)
    flipped = np.asarray(batch.y != batch.x[:, 0], float)
    for column in np.asarray(batch.x).T:
        assert abs(np.corrcoef(flipped, column)[0, 1]) < 5 / math.sqrt(m)
    noisy = Boolean(d=3, target="x1", label_sd=0.5).sample(m, key=KEY)
    rest = np.asarray(noisy.y - noisy.x[:, 0])
    assert rest.std() == pytest.approx(0.5, rel=0.06)
    assert abs(np.corrcoef(rest, np.asarray(noisy.x[:, 1]))[0, 1]) < 5 / math.sqrt(m)


def test_what_no_function_explains_of_a_boolean_label():
    law = Boolean(d=3, target="x1*x2", task="classification", flips=0.1)
    assert law.label_variance == pytest.approx(1 - 0.64)
    assert law.bayes_error == 0.1
    assert law.fourier == pytest.approx({(1, 2): 0.8})
    assert law.error_of_degree(1) == pytest.approx(1.0)
    assert law.error_of_degree(2) == pytest.approx(0.36)
    regression = Boolean(d=3, target="2*x1 + x1*x2", label_sd=0.5)
    assert regression.label_variance == 0.25
    assert regression.error_of_degree(1) == pytest.approx(1.25)
    assert regression.error_of_degree(0) == pytest.approx(5.25)


def test_staircases_in_numbers():
    supports = [(1, 2, 3), (2,), (4, 5), (2, 3)]
    assert climb(supports) == (((2,), 1), ((2, 3), 1), ((1, 2, 3), 1), ((4, 5), 2))
    assert leap(supports) == 2
    assert reached(supports) == (1, 2, 3)
    assert reached(supports, step=2) == (1, 2, 3, 4, 5)
    assert reached([(1, 2)], step=1) == ()


def test_ties_and_what_they_cost():
    found = ties(target_of("x1 - x2"))
    assert found.groups == (((1, 1), (2, -1)),)
    assert found.tied
    np.testing.assert_allclose(found.projection(2), [[0.5, -0.5], [-0.5, 0.5]])
    # Given x1 - x2 nothing of the target is left; given x1 + x2 of "x1": a half is.
    assert floor(target_of("x1 - x2")) == pytest.approx(0.0)
    values = np.array([-1.0, 1.0, -1.0, 1.0])
    assert conditional_variance(values, [np.array([-2.0, 0.0, 0.0, 2.0])]) == pytest.approx(0.5)
    assert conditional_variance(values, []) == pytest.approx(1.0)
    assert not ties(target_of("x1 + 2*x2")).tied
    beside_another = ties(target_of("x1 + x2 + 2*x3"))
    assert sorted(map(len, beside_another.groups)) == [1, 2]
    assert beside_another.tied


def test_a_target_may_be_a_function_of_one_bit():
    assert target_of(lambda a: 3 * a).terms == (((1,), 3.0),)


def test_a_rotation_has_orthonormal_rows_and_both_signs():
    corners = np.array([np.asarray(rotation(2, key=jax.random.key(i)))[0] for i in range(64)])
    np.testing.assert_allclose(np.linalg.norm(corners, axis=1), 1.0, rtol=1e-5)
    # QR alone fixes signs: one of the four quadrants would stay empty.
    assert len({tuple(np.sign(row)) for row in corners}) == 4
