"""Any Boolean target: every closed form against enumeration, every bad target one sentence."""

import dataclasses
import itertools
import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn._check import InputError
from featlearn._describe import describe
from featlearn.distributions import Boolean, Parity, Target, rotation, target_of
from featlearn.distributions.staircase import climb, leap, reached
from featlearn.distributions.symmetries import floor, symmetric, ties
from featlearn.distributions.target import corners, hermite


def cube(k):
    return np.array(list(itertools.product((-1.0, 1.0), repeat=k)))


def random_target(rng, k, terms):
    sets = [S for n in range(k + 1) for S in itertools.combinations(range(1, k + 1), n)]
    chosen = rng.permutation(len(sets))[:terms]
    coefficients = {sets[i]: float(rng.choice([-2, -1, 1, 1.5])) for i in chosen}
    coefficients |= {(i,): 1.0 for i in range(1, k + 1)}
    return coefficients


def test_four_ways_to_write_a_target_are_one_value():
    formula = target_of("x1 + x1*x2/2")
    assert formula == target_of({(1,): 1.0, (2, 1): 0.5})
    assert formula == target_of(lambda a, b: a + a * b / 2)
    assert formula == target_of([-0.5, 0.5, -1.5, 1.5])
    assert formula == target_of(" z1*(1 + 0.5*z2**3) ")
    assert describe(Boolean(d=4, target="x1 + x1*x2")) == describe(
        Boolean(d=4, target={(1, 2): 1, (1,): 1})
    )


def test_coefficients_are_the_correlations_with_the_characters(rng):
    k = 4
    given = random_target(rng, k, 9)
    z = cube(k)
    h = sum(c * np.prod(z[:, [i - 1 for i in S]], axis=1) for S, c in given.items())
    target = target_of(given)
    np.testing.assert_allclose(target(z), h, atol=1e-12)
    np.testing.assert_allclose(target.table, target(corners(k)), atol=1e-12)
    for n in range(k + 1):
        for S in itertools.combinations(range(1, k + 1), n):
            mean = np.mean(h * np.prod(z[:, [i - 1 for i in S]], axis=1))
            assert target.coefficients.get(S, 0.0) == pytest.approx(mean, abs=1e-12)
    assert target.variance == pytest.approx(h.var())
    assert target.mean == pytest.approx(h.mean())


def test_the_best_polynomial_of_a_degree_is_that_of_least_squares(rng):
    k = 4
    target = target_of(random_target(rng, k, 10))
    z = cube(k)
    for degree in range(k + 1):
        sets = [S for n in range(degree + 1) for S in itertools.combinations(range(k), n)]
        X = np.stack([np.prod(z[:, list(S)], axis=1) for S in sets], axis=1)
        fit = X @ np.linalg.lstsq(X, target(z), rcond=None)[0]
        assert target.error_of_degree(degree) == pytest.approx(np.mean((target(z) - fit) ** 2))


def test_hermite_coefficients_are_those_of_the_normal_law():
    target = target_of("x1**3 - 2*x1*x2**2 + 0.5", gaussian=True)
    nodes, weights = np.polynomial.hermite_e.hermegauss(12)
    weights = weights / weights.sum()
    z = np.stack(np.meshgrid(nodes, nodes, indexing="ij"), axis=-1).reshape(-1, 2)
    p = np.outer(weights, weights).ravel()
    h = z[:, 0] ** 3 - 2 * z[:, 0] * z[:, 1] ** 2 + 0.5
    np.testing.assert_allclose(target(z), h, atol=1e-9 * np.abs(h).max())
    for m, n in itertools.product(range(4), repeat=2):
        S = (1,) * m + (2,) * n
        mean = p @ (h * hermite(m, z[:, 0]) * hermite(n, z[:, 1]))
        assert target.coefficients.get(S, 0.0) == pytest.approx(mean, abs=1e-9)
    assert target.variance == pytest.approx(p @ h**2 - (p @ h) ** 2)


def every_order(supports):
    best = 99
    for order in itertools.permutations(supports):
        seen, most = set(), 0
        for S in order:
            most = max(most, sum(i not in seen for i in S))
            seen |= set(S)
        best = min(best, most)
    return best


def test_the_leap_is_the_least_over_all_orders(rng):
    for _ in range(40):
        k = int(rng.integers(2, 6))
        sets = [S for n in range(1, k + 1) for S in itertools.combinations(range(1, k + 1), n)]
        chosen = [sets[i] for i in rng.permutation(len(sets))[: rng.integers(1, 6)]]
        assert leap(chosen) == every_order(chosen)
        assert sorted(S for S, _ in climb(chosen)) == sorted(chosen)
        if leap(chosen) <= 1:
            assert set(reached(chosen)) == {i for S in chosen for i in S}


def test_a_gaussian_formula_is_divided_by_numbers():
    divided = target_of("(x1**2 - x1/4)/2", gaussian=True)
    assert divided == target_of("0.5*x1**2 - 0.125*x1", gaussian=True)


def test_gaussian_leaps_count_degrees():
    assert Boolean(d=5, target="x1**3 - 3*x1", signal="gaussian").leap == 3
    assert Boolean(d=5, target="x1**3", signal="gaussian").leap == 1
    assert Boolean(d=5, target="x1*x2", signal="gaussian").leap == 2


@pytest.mark.parametrize(
    ("formula", "staircase", "leap_", "seen"),
    [
        ("x1 + x1*x2 + x1*x2*x3", True, 1, (1, 2, 3)),
        ("x1 + x2 + x1*x2*x3 + x4*x3", True, 1, (1, 2, 3, 4)),
        ("x1 + x1*x2*x3", False, 2, (1,)),
        ("x1*x2*x3 + x1", False, 2, (1,)),
        ("x1*x2*x3*x4", False, 4, ()),
        ("x1 + x2*x3*x4", False, 3, (1,)),
        ("sign(x1 + x2 + x3)", True, 1, (1, 2, 3)),
    ],
)
def test_known_targets_are_classified(formula, staircase, leap_, seen):
    law = Boolean(d=9, target=formula)
    assert ((law.staircase is not None), law.leap, law.reached) == (staircase, leap_, seen)


def signed_permutations(k):
    for p in itertools.permutations(range(k)):
        for e in itertools.product((1, -1), repeat=k):
            yield p, np.array(e)


def test_symmetries_are_those_of_all_signed_permutations(rng):
    for _ in range(12):
        k = int(rng.integers(2, 5))
        target = target_of({S: abs(c) for S, c in random_target(rng, k, 3).items()})
        if rng.uniform() < 0.5:
            target = target_of(
                {S: c for S, c in target.terms if len(S) != 1 or S == (1,)}
                | {tuple(range(1, k + 1)): 1.0}
            )
        z = cube(k)
        h = target(z)
        found = {
            (i + 1, p[i] + 1, int(e[i]))
            for p, e in signed_permutations(k)
            if np.allclose(target(e * z[:, list(p)]), h)
            for i in range(k)
        }
        for i, j, sign in itertools.product(range(1, k + 1), range(1, k + 1), (1, -1)):
            assert symmetric(target, i, j, sign) == ((i, j, sign) in found), (target, i, j, sign)


def test_the_tied_target_has_a_floor_of_one():
    law = Boolean(d=9, target="x1 + x2 + x1*x3 + x2*x4")
    assert law.ties.tied
    assert law.flow_floor == pytest.approx(1.0)
    P = law.ties.projection(4)
    np.testing.assert_allclose(P @ P, P)
    np.testing.assert_allclose(P @ [1, 0, 0, 0], [0.5, 0.5, 0, 0])
    z = corners(4)
    residual = (z[:, 0] - z[:, 1]) * (z[:, 2] - z[:, 3]) / 2
    assert np.mean(residual**2) == pytest.approx(1.0)
    assert Boolean(d=9, target="x1 + 1.1*x2 + x1*x3 + x2*x4").flow_floor == 0


def test_outside_the_staircase_the_floor_is_the_weight_of_what_is_not_reached():
    target = target_of("x1 + 0.5*x1*x2 + 0.7*x1*x3*x4 + 0.3*x3*x4")
    assert floor(target) == pytest.approx(0.7**2 + 0.3**2)
    assert ties(target).silent == (3, 4)


def test_boolean_points_are_the_bits_that_parity_draws(key):
    ours = Boolean(d=40, target="x1*x2").sample(30, key=key)
    theirs = Parity(d=40, sign=1).sample(30, key=key)
    np.testing.assert_array_equal(ours.x, theirs.x)
    np.testing.assert_array_equal(ours.y, theirs.y)


def test_labels_follow_the_hidden_bits(key):
    law = Boolean(d=12, target="x1 + 0.5*x1*x2 - x2*x3").hidden(key=key)
    assert len(set(law.relevant)) == 3
    batch = law.sample(50, key=key)
    a, b, c = (np.asarray(batch.x[:, j]) for j in law.A)
    np.testing.assert_allclose(batch.y, a + 0.5 * a * b - b * c, atol=1e-6)
    np.testing.assert_allclose(law.bits(batch.x), np.stack([a, b, c], axis=1), atol=1e-6)
    np.testing.assert_allclose(law.label(law.means), law.mean_labels)
    np.testing.assert_allclose(np.asarray(law.mean_labels), law.target.table, atol=1e-6)


def test_a_rotated_basis_turns_points_and_keeps_labels(key):
    plain = Boolean(d=8, target="x1 + x1*x2", relevant=(3, 5))
    Q = rotation(8, key=key)
    turned = dataclasses.replace(plain, basis=Q)
    one, other = plain.sample(20, key=key), turned.sample(20, key=key)
    np.testing.assert_allclose(other.x @ Q.T, one.x, atol=1e-5)
    np.testing.assert_array_equal(one.y, other.y)
    np.testing.assert_allclose(turned.label(other.x), one.y, atol=1e-5)


def test_flips_and_noise_have_the_rates_they_are_given(key):
    law = Boolean(d=6, target="sign(x1 + x2 + x3)", task="classification", flips=0.2)
    batch = law.sample(20_000, key=key)
    wrong = float(jnp.mean(batch.y != law.label(batch.x)))
    assert wrong == pytest.approx(0.2, abs=5 * 0.4 / np.sqrt(20_000))
    assert law.fourier[(1,)] == pytest.approx(0.6 * 0.5)
    assert law.error_of_degree(3) == pytest.approx(1 - 0.36)
    noisy = Boolean(d=6, target="x1", label_sd=0.5)
    batch = noisy.sample(20_000, key=key)
    # The variance of a normal sample has the relative error sqrt(2/n) = .01.
    assert float(jnp.var(batch.y - batch.x[:, 0])) == pytest.approx(0.25, rel=0.05)
    assert noisy.error_of_degree(0) == pytest.approx(1.25)


@pytest.mark.parametrize("signal", ["boolean", "gaussian"])
@pytest.mark.parametrize("noise", ["boolean", "gaussian"])
def test_signal_and_noise_have_the_laws_that_are_named(signal, noise, key):
    law = Boolean(d=6, target="x1*x2", signal=signal, noise=noise)
    x = np.asarray(law.sample(4000, key=key).x)
    for columns, named in ((x[:, :2], signal), (x[:, 2:], noise)):
        assert bool(np.all(np.abs(columns) == 1)) is (named == "boolean")
        np.testing.assert_allclose(columns.mean(axis=0), 0, atol=5 / math.sqrt(4000))
        fourth = 1.0 if named == "boolean" else 3.0  # sd of x^4: 0, or sqrt 96
        atol = 5 * math.sqrt(96 / 4000) * (fourth - 1)
        np.testing.assert_allclose((columns**4).mean(axis=0), fourth, atol=atol)


def test_a_gaussian_signal_is_labelled_by_the_polynomial(key):
    law = Boolean(d=6, target="x1*x2 + x1**2", signal="gaussian", noise="gaussian")
    batch = law.sample(40, key=key)
    a, b = np.asarray(batch.x[:, 0]), np.asarray(batch.x[:, 1])
    np.testing.assert_allclose(batch.y, a * b + a**2, rtol=1e-4, atol=1e-5)
    assert law.in_dimensions(9).d == 9
    assert law.noise_sd == 1.0


def test_the_best_linear_error_of_a_classification_is_that_of_its_labels():
    law = Boolean(d=5, target="x1 + x2 + x3", task="classification")
    points = law.support()
    X = np.asarray(points.x)
    fit = X @ np.linalg.lstsq(X, np.asarray(points.y), rcond=None)[0]
    assert law.error_of_degree(1) == pytest.approx(float(np.mean((fit - points.y) ** 2)), abs=1e-6)


BAD = {
    "x1 + * x2": "expected a formula of bits such as 'x1 + x1*x2', got 'x1 + * x2' (character 6).",
    "y1 + x1": "expected bits called x1, x2, …, got 'y1'.",
    "3": "expected a target that depends on some bit, got the constant '3'.",
    "x1 - x1": "expected a target that depends on some bit, got a constant.",
    "x1 + x3": "expected a target that depends on each of its bits x1 … x3, got one that ignores "
    "x2. Number the bits from 1 without gaps; `relevant` says where they stand in x.",
    "x0": "expected bits counted from 1, got 'x0'.",
    "x1 + x21": "expected at most 20 bits, got 21.",
    "x1**99": "expected powers from 0 to 20, got 99.",
    "x1/0": "expected no division by 0, got 'x1/0'.",
    "x1/(x1 - x2)": "expected finite values at every corner, got infinity or NaN.",
    "max(x1, x2)": "expected bits called x1, x2, …, got 'max'.",
    "x1 if x2 else x1": "expected numbers, bits, + - * / ** and sign(…), got 'x1 if x2 else x1'.",
    ((1, 1), 2.0): "expected supports that name a bit once, got (1, 1). A sign squared is 1.",
    ((1,), float("nan")): "expected a finite coefficient of x1, got nan.",
    ("a", 1.0): "expected supports that list bits 1, 2, … such as (1, 3), got 'a'.",
    (1.0, 2.0, 3.0): "expected 2^k numbers, one a corner, got a truth table of 3.",
    None: "expected a formula, a dictionary of supports, a truth table or a function of bits, got "
    "NoneType.",
}


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_target_is_refused_in_one_sentence(bad):
    given = dict([bad]) if isinstance(bad, tuple) and len(bad) == 2 else bad
    with pytest.raises(InputError) as error:
        Boolean(d=30, target=given)
    assert str(error.value) == f"Boolean(target): {BAD[bad]}"


def test_two_names_of_one_support_are_refused():
    with pytest.raises(InputError, match=r"each support once, got x1\*x2 twice"):
        target_of({(1, 2): 1, (2, 1): 1})


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"target": "x1 + x2", "task": "classification"},
            "Boolean(task): expected h other than 0 at every corner, for labels sign h, got h = 0 "
            "at (+, -). Take task='regression'.",
        ),
        (
            {"target": "x1 + 0.5*x1*x2", "task": "classification"},
            "Boolean(task): expected labels sign h that depend on every bit of h, got ones that "
            "ignore x2.",
        ),
        (
            {"target": "x1*x2*x3*x4*x5"},
            "Boolean(d): expected at least as many inputs as bits, got d=4 for 5 bits.",
        ),
        (
            {"target": "x1", "flips": 0.1},
            "Boolean(flips): expected 0 unless the task is "
            "classification, got 0.1 for task='regression'.",
        ),
        (
            {"target": "x1", "task": "classification", "flips": 0.5},
            "Boolean(flips): expected from 0 to below 1/2, got 0.5.",
        ),
        (
            {"target": "x1*x2", "relevant": (1, 1)},
            "Boolean(relevant): expected 2 different places from 0 to 3, got (1, 1).",
        ),
        (
            {"target": [0, 1], "signal": "gaussian"},
            "Boolean(target): expected a polynomial for Gaussian inputs, got a truth table. Give a "
            "formula or a dictionary, or Boolean inputs.",
        ),
    ],
)
def test_fields_that_do_not_fit_are_refused(fields, message):
    with pytest.raises(InputError) as error:
        Boolean(d=4, **fields)
    assert str(error.value) == message


def test_a_law_passes_through_a_compiled_function_and_back(key):
    law = Boolean(d=7, target="x1 + x1*x2", task="regression", label_sd=0.1)
    drawn = jax.jit(lambda law, key: law.sample(9, key=key))(law, key)
    plain = law.sample(9, key=key)
    np.testing.assert_allclose(drawn.y, plain.y, rtol=1e-6)
    assert isinstance(jax.tree.map(lambda leaf: leaf, law).target, Target)
