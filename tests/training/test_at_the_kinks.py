"""Ties and kinks, and the streams that a run draws from."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn._record import record
from featlearn._streams import stream
from featlearn.training import (
    LOSSES,
    Adadelta,
    Adam,
    CoupledDecay,
    DecoupledDecay,
    Momentum,
    Plain,
    Quantity,
    Recording,
)
from featlearn.training.decay import keep
from featlearn.training.loop import Plan, train

STEP = 2.0**-20


@pytest.mark.parametrize("y", [1.0, -1.0])
def test_the_hinge_does_not_pull_on_its_kink(y):
    f = y * jnp.array([1 - STEP, 1.0, 1 + STEP])
    assert LOSSES["hinge"].derivative(f, jnp.full(3, y)).tolist() == [-y, 0.0, 0.0]
    assert LOSSES["hinge"].value(f, jnp.full(3, y)).tolist() == [STEP, 0.0, 0.0]


def test_losses_in_numbers():
    f, y = jnp.float32(0.0), jnp.float32(-1.0)
    found = {
        name: (float(each.value(f, y)), float(each.derivative(f, y)))
        for name, each in LOSSES.items()
    }
    log2 = float(np.log(2))
    assert found == {
        "logistic": pytest.approx((log2, 0.5)),
        "doubled-logistic": pytest.approx((2 * log2, 1.0)),
        "hinge": (1.0, 1.0),
        "squared": (0.5, 1.0),
        "linear": (0.0, 1.0),
    }


@pytest.mark.parametrize(
    "rule", [Plain(eta=0.5), Momentum(eta=0.5), Adam(eta=0.5), Adadelta(eta=0.5)]
)
def test_a_schedule_scales_the_move_and_nothing_else(rule):
    g = jnp.array([2.0, -3.0])
    whole, memory = rule.move(g, rule.start(g), params=g, scale=1.0, t=0)
    part, same = rule.move(g, rule.start(g), params=g, scale=0.25, t=0)
    np.testing.assert_allclose(part, 0.25 * whole, rtol=1e-6)
    jax.tree.map(np.testing.assert_array_equal, memory, same)


def test_the_defaults_of_the_rules_are_those_of_their_papers():
    assert Momentum(eta=1.0).beta == 0.9
    adam, adadelta = Adam(eta=1.0), Adadelta(eta=1.0)
    assert (adam.beta1, adam.beta2, adam.epsilon) == (0.9, 0.999, 1e-8)
    assert (adadelta.rho, adadelta.epsilon) == (0.95, 1e-6)


def test_what_decay_keeps_is_exactly_nothing_only_up_to_rounding():
    assert keep(0.25, 0.1) == pytest.approx(0.95)
    assert keep(0.25, 2 * (1 - 0.4e-15)) == 0.0
    assert keep(0.25, 2 * (1 - 4e-15)) == pytest.approx(4e-15, rel=0.1)
    assert keep(0.25, 3.0) == pytest.approx(-0.5)


def test_coupled_decay_adds_twice_lambda_times_the_weights_that_move():
    gradient, params = (
        {"w": jnp.ones(2), "a": None},
        {"w": jnp.array([3.0, -1.0]), "a": jnp.ones(1)},
    )
    assert CoupledDecay(lam=0.25).added(gradient, params)["w"].tolist() == [2.5, 0.5]
    assert CoupledDecay(lam={"a": 1.0}).added(gradient, params)["w"].tolist() == [1.0, 1.0]
    assert CoupledDecay(lam=0.0).added(gradient, params)["a"] is None


def test_decoupled_decay_has_a_factor_for_each_part_it_names():
    assert DecoupledDecay(lam=0.5).factors(Plain(eta=0.25), ("w", "a")) == {"w": 0.75, "a": 0.75}
    assert DecoupledDecay(lam={"a": 1.0}).factors(Plain(eta=0.25), ("w", "a")) == {"a": 0.5}


@record()
class Keys:
    """A phase whose parameters are the keys that it was given: fixed, then of its last step."""

    steps: int

    def bind(self, law, network):
        return self

    def fixed(self, *, key):
        return jax.random.key_data(key)

    def start(self, params, fixed):
        return {**params, "fixed": fixed}

    def step(self, state, t, fixed, *, key):
        return {**state, "step": jax.random.key_data(key)}

    def params(self, state, fixed):
        return state


@record()
class Seen:
    """Tells the keys of the parameters, and its own."""

    stream: str = "test"

    @property
    def quantities(self):
        return {f"{self.stream}_{name}": Quantity(dims=("word",), meaning="") for name in ("key",)}

    def measure(self, params, *, key):
        return {f"{self.stream}_key": jax.random.key_data(key), **params}


def test_every_purpose_of_a_run_has_the_stream_of_its_name():
    def init(key):
        return {"init": jax.random.key_data(key), "step": jnp.zeros(2, jnp.uint32)}

    plan = Plan(
        init=init,
        phases=(Keys(steps=1), Keys(steps=2)),
        recording=Recording(measurements=(Seen(), Seen(stream="sample")), steps=(0, 1, 3)),
    )
    found: dict[int, dict[str, np.ndarray]] = {}
    for position in train(plan, seed=5):
        found |= position.records

    def words(purpose):
        return jax.random.key_data(stream(5, purpose)).tolist()

    for step, record_ in found.items():
        told = {name: value.tolist() for name, value in record_.items()}
        assert told["init"] == words("init")
        assert told["fixed"] == told["sample_key"] == words("sample")
        assert told["test_key"] == words("test")
        assert step == 0 or told["step"] == words(f"data-{0 if step == 1 else 1}")
    assert sorted(found) == [0, 1, 3]
