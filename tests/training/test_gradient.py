"""The written gradient against `jax.grad` of the objective, over everything it can be asked."""

import itertools
import re
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn._check import InputError
from featlearn._record import record
from featlearn.distributions import Batch
from featlearn.networks import ACTIVATIONS, Gaussian, Params, TwoLayer, activation
from featlearn.training import LOSSES, gradient, loss, objective
from featlearn.training.gradient import part_name, point_weights

D, WIDTH, POINTS = 4, 6, 9
SUBSETS = [parts for n in range(4) for parts in itertools.combinations(("w", "a", "b"), n)]
SWITCHES = itertools.product(
    (False, True),  # biases
    (None, 0.3),  # smoothing
    (None, (0.5, 2.0)),  # class weights, of -1 and +1
    (False, True),  # points with probabilities of their own
)
OPTIONS = list(zip(SWITCHES, itertools.cycle(("mean-field", "sqrt", "one")), strict=False))
"""Every combination of the switches; the scaling, one factor before it all, goes round."""


def setting(rng, *, biased=True, scaling="one", weighted=False, s="relu", trained=("w", "a", "b")):
    """A network with float64 weights and a batch; to be called with float64 on."""
    one = TwoLayer(
        d=D,
        width=WIDTH,
        w=Gaussian(sd=1.0),
        a=Gaussian(sd=1.0),
        b=Gaussian(sd=1.0) if biased else None,
        activation=activation(s),
        scaling=scaling,
        trained=trained,
    )
    params = Params(
        w=jnp.asarray(rng.normal(size=(WIDTH, D))),
        a=jnp.asarray(rng.normal(size=WIDTH)),
        b=jnp.asarray(rng.normal(size=WIDTH)) if biased else None,
    )
    weight = jnp.asarray(rng.dirichlet(np.ones(POINTS))) if weighted else None
    x, y = rng.normal(size=(POINTS, D)), rng.choice([-1.0, 1.0], size=POINTS)
    return one, params, Batch(x=jnp.asarray(x), y=jnp.asarray(y), weight=weight)


def same(got, expected):
    assert str(jax.tree.structure(got)) == str(jax.tree.structure(expected))
    for one, other in zip(jax.tree.leaves(got), jax.tree.leaves(expected), strict=True):
        assert one.dtype == jnp.float64
        # float64 sums of nine terms of size one: 1e-15 each.
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)


def by_jax(one, of_output, params, batch, **options):
    return jax.grad(objective, argnums=2)(one, of_output, params, batch, **options)


@pytest.mark.parametrize("of_output", LOSSES.values(), ids=LOSSES)
@pytest.mark.parametrize("s", ACTIVATIONS)
def test_the_written_gradient_is_the_gradient(s, of_output, rng):
    with jax.enable_x64(True):
        for (biased, smoothing, class_weights, weighted), scaling in OPTIONS:
            one, params, batch = setting(
                rng, biased=biased, scaling=scaling, weighted=weighted, s=s
            )
            options: dict[str, Any] = {"smoothing": smoothing, "class_weights": class_weights}
            same(
                gradient(one, of_output, params, batch, **options),
                by_jax(one, of_output, params, batch, **options),
            )


@pytest.mark.parametrize("s", ACTIVATIONS)
def test_half_of_a_mirrored_start_gives_the_gradient_of_all(s, rng):
    with jax.enable_x64(True):
        for (biased, smoothing, class_weights, weighted), scaling in OPTIONS:
            one, params, batch = setting(
                rng, biased=biased, scaling=scaling, weighted=weighted, s=s
            )
            one = replace(one, pairing="mirrored")
            half = jax.tree.map(lambda part: part[: WIDTH // 2], params)
            params = jax.tree.map(lambda part: jnp.concatenate([part, part]), half)
            params = replace(params, a=jnp.concatenate([half.a, -half.a]))
            options: dict[str, Any] = {"smoothing": smoothing, "class_weights": class_weights}
            same(
                gradient(one, loss("hinge"), params, batch, mirrored=True, **options),
                gradient(one, loss("hinge"), params, batch, **options),
            )


@pytest.mark.parametrize("of_output", LOSSES.values(), ids=LOSSES)
@pytest.mark.parametrize("s", ACTIVATIONS)
def test_parts_that_are_not_trained_have_gradient_zero_and_the_others_theirs(s, of_output, rng):
    with jax.enable_x64(True):
        one, params, batch = setting(rng, s=s)
        full = by_jax(one, of_output, params, batch)
        none = jax.tree.map(jnp.zeros_like, full)
        for trained in SUBSETS:
            expected = Params(
                **{
                    part: getattr(full if part in trained else none, part)
                    for part in ("w", "a", "b")
                }
            )
            same(gradient(replace(one, trained=trained), of_output, params, batch), expected)


def exponential(f, y):
    return jnp.exp(-y * f)


@pytest.mark.parametrize(
    "s", [jnp.tanh, jax.nn.gelu, "truncated"], ids=["tanh", "gelu", "truncated"]
)
@pytest.mark.parametrize(
    "of_output",
    [exponential, lambda f, y: (1 - y * f) ** 4, "hinge"],
    ids=["exponential", "quartic", "hinge"],
)
def test_any_jax_function_serves_as_activation_or_loss(s, of_output, rng):
    with jax.enable_x64(True):
        one, params, batch = setting(rng, s=s, scaling="mean-field", weighted=True)
        same(
            gradient(one, loss(of_output), params, batch),
            by_jax(one, loss(of_output), params, batch),
        )


def test_a_finite_difference_of_the_objective_is_the_gradient(rng):
    with jax.enable_x64(True):
        one, params, batch = setting(rng, s="quadratic", scaling="sqrt")
        of_output, step = LOSSES["doubled-logistic"], 1e-6
        slope = gradient(one, of_output, params, batch)
        direction = jax.tree.map(lambda leaf: jnp.asarray(rng.normal(size=leaf.shape)), params)

        def moved(by):
            there = jax.tree.map(lambda p, v: p + by * v, params, direction)
            return objective(one, of_output, there, batch)

        along = sum(
            jnp.vdot(g, v) for g, v in zip(*map(jax.tree.leaves, (slope, direction)), strict=True)
        )
        # Central differences: step^2 = 1e-12 of truncation, 1e-10 of rounding over the step.
        assert float((moved(step) - moved(-step)) / (2 * step)) == pytest.approx(
            float(along), rel=1e-7
        )


def test_points_weigh_equally_or_as_they_are_told():
    x, y = jnp.zeros((4, 1)), jnp.array([1.0, -1.0, -1.0, 1.0])
    weight = jnp.array([0.1, 0.2, 0.3, 0.4])
    np.testing.assert_allclose(point_weights(Batch(x=x, y=y)), 0.25)
    np.testing.assert_allclose(point_weights(Batch(x=x, y=y, weight=weight)), weight)
    # Weights of the classes: that of -1 first. float32.
    np.testing.assert_allclose(
        point_weights(Batch(x=x, y=y, weight=weight), (3.0, 0.5)), [0.05, 0.6, 0.9, 0.2], rtol=1e-6
    )


@record()
class ThreeLayers:
    """A network of another shape: a dict of dicts, of which the middle stays where it is."""

    d: int = D
    trained: tuple[str, ...] = ("first", "top")
    rate: float = 2.0

    def init(self, *, key):
        of_first, of_middle = jax.random.split(key)
        return {
            "first": {"w": jax.random.normal(of_first, (5, self.d)), "b": jnp.zeros(5)},
            "middle": jax.random.normal(of_middle, (3, 5)),
            "top": [jnp.ones(3)],
        }

    def forward(self, params, x):
        hidden = jnp.tanh(x @ params["first"]["w"].T + params["first"]["b"])
        return jnp.tanh(hidden @ params["middle"].T) @ params["top"][0]


def test_a_network_of_any_shape_has_its_gradient_in_the_trained_parts(rng, key):
    with jax.enable_x64(True):
        _, _, batch = setting(rng, weighted=True)
        one, of_output = ThreeLayers(), LOSSES["logistic"]
        params = one.init(key=key)
        got, full = gradient(one, of_output, params, batch), by_jax(one, of_output, params, batch)
        assert not np.any(got["middle"])
        same({**got, "middle": full["middle"]}, full)
        assert float(jnp.abs(full["middle"]).max()) > 0


def test_smoothing_is_refused_where_it_has_no_closed_form(rng, key):
    sentence = (
        "objective(smoothing): expected a TwoLayer network, whose smoothing is a closed form, "
        "got ThreeLayers. Train without smoothing."
    )
    _, _, batch = setting(rng)
    one = ThreeLayers()
    with pytest.raises(InputError, match=f"^{re.escape(sentence)}$"):
        objective(one, LOSSES["hinge"], one.init(key=key), batch, smoothing=0.5)


def test_the_parts_of_any_tree_have_readable_names(key):
    paths = jax.tree.leaves_with_path(ThreeLayers().init(key=key))
    assert [part_name(path) for path, _ in paths] == ["first_b", "first_w", "middle", "top_0"]
