"""An experiment is a value: its parts fill each other's blanks, and it runs wherever an id does."""

import re
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

import featlearn as fl
from featlearn._check import InputError
from featlearn.training import GramDescent
from featlearn.training.turned_sample import TurnedSample
from featlearn.training.wishart import WishartDescent

D = 8
NET = fl.TwoLayer(d=D, width=6, w=fl.Sphere(radius=0.5), a=fl.Signs(size=0.5), scaling="mean-field")
HOW = fl.SGD(eta=0.2, batch=16, steps=6, loss=fl.logistic)


def experiment(**changes: Any) -> fl.Experiment:
    parts: dict[str, Any] = {"record": [fl.SignalParts(), fl.HeldOut(samples=50)], "at": 4}
    parts |= {"law": fl.Parity(d=D), "network": NET, "training": HOW}
    return fl.Experiment(**{**parts, **changes})


def test_a_value_runs_as_its_parts_say():
    result = fl.run(experiment(), seeds=2)
    assert dict(result.dataset.sizes)["seed"] == 2
    assert set(result.summary) == {"rest", "test_loss", "test_accuracy"}
    by_hand = NET.init(key=fl.stream(0, "init"))
    np.testing.assert_array_equal(result.dataset["a"].isel(seed=0, step=0), by_hand.a)


def test_a_value_gives_the_bits_of_the_named_experiment():
    named = fl.run("glasgow2023.xor", d=D, width=6, theta=0.5, batch=16, steps=6, test=50, seeds=1)
    ours = experiment(
        training=HOW.replace(loss=fl.doubled_logistic),
        record=[fl.SignalParts(threshold=0.5), fl.Margins(), fl.HeldOut(samples=50)],
        at=100,
    )
    result = fl.run(ours.replace(network=NET), seeds=1)
    for name in ("norm", "a", "gamma", "test_loss"):
        np.testing.assert_array_equal(result.dataset[name], named.dataset[name])


def test_places_are_selected_by_their_names():
    result = fl.run(experiment(record=[fl.SignalParts(), fl.Margins()]), seeds=1)
    found = result.dataset["gamma"].sel(cluster="-mu1")
    np.testing.assert_array_equal(found, result.dataset["gamma"].isel(cluster=1))
    clusters = fl.run("frei2022.clusters", d=6, samples=8, width=4, test=9, seeds=1)
    assert clusters.dataset["correlation"].sel(direction="mu1").dims == ("seed", "step", "neuron")


def test_a_function_with_fields_runs_sweeps_and_is_searched(tmp_path):
    def xor(d: int = 4, eta: float = 0.2):
        how = HOW.replace(eta=eta)
        return fl.Experiment(fl.Parity(d=d), NET.replace(d=d), how, record=[fl.HeldOut(samples=20)])

    assert fl.run(xor, d=5, seeds=1).config.d == 5
    found = fl.sweep(xor, over={"d": [4, 5], "eta": [0.1, 0.2]}, seeds=2)
    table = found.to_dataframe()
    assert len(table) == 8
    assert list(table.columns) == ["d", "eta", "seed", "test_loss", "test_accuracy", "diverged_at"]
    whole = found.to_dataset()
    assert dict(whole.sizes) == {"d": 2, "eta": 2, "seed": 2}
    one = table[(table.d == 5) & (table.eta == 0.1) & (table.seed == 1)]
    assert float(whole["test_loss"].sel(d=5, eta=0.1, seed=1)) == float(one.test_loss.iloc[0])
    alone = fl.run(xor, d=5, eta=0.1, seeds=2).summary["test_loss"].values
    assert alone[1] == float(one.test_loss.iloc[0])
    assert not list(tmp_path.iterdir()), "nothing is written without out"
    threshold = fl.search(xor, field="eta", reach="test_loss<=100", between=(0.1, 0.4), seeds=1)
    assert threshold.values == (0.1,)


def test_a_phase_takes_another_loss_by_name_or_as_a_function():
    def mine(f, y):
        return -f * y

    assert HOW.replace(loss="hinge").loss is fl.hinge
    ran = fl.run(experiment(training=HOW.replace(loss=mine)), seeds=1).dataset["test_loss"]
    linear = fl.run(experiment(training=HOW.replace(loss="linear")), seeds=1).dataset["test_loss"]
    np.testing.assert_allclose(ran, linear, rtol=1e-6)


def test_a_field_without_a_default_must_be_given():
    def make(d):
        return experiment(law=fl.Parity(d=d), network=NET.replace(d=d))

    assert len(fl.sweep(make, over={"d": [4, 5]}, seeds=1).to_dataframe()) == 2
    with pytest.raises(InputError, match="make: expected a value for every field, got none for d"):
        fl.run(make, seeds=1)


def test_a_value_is_stored_under_what_it_says_and_read_again(tmp_path):
    first = fl.run(experiment(), seeds=1, out=tmp_path)
    again = fl.run(experiment(), seeds=1, out=tmp_path)
    other = fl.run(experiment(training=HOW.replace(eta=0.1)), seeds=1, out=tmp_path)
    assert (first.status, again.status, other.status) == ("computed", "read", "computed")
    assert first.hash == again.hash != other.hash


def test_the_points_of_a_run_are_given_back():
    sample = experiment(training=fl.SGD(eta=0.2, samples=12, steps=2, loss=fl.logistic))
    np.testing.assert_array_equal(
        fl.run(sample, seeds=1).sample(seed=0).x,
        fl.Parity(d=D).sample(12, key=fl.stream(0, "sample")).x,
    )
    fresh = fl.run(experiment(), seeds=1).sample(seed=0, points=20)
    first = fl.Parity(d=D).sample(16, key=jax.random.fold_in(fl.stream(0, "data-0"), 0))
    assert fresh.x.shape == (20, D)
    np.testing.assert_array_equal(fresh.x[:16], first.x)


def test_rule_and_step_size_are_replaced_together():
    rule = fl.optax_rule(optax.adam(1e-2))
    adam = HOW.with_rule(rule)
    assert adam.eta is None
    with pytest.raises(InputError, match="a rule with a step size of its own, got OptaxRule"):
        adam.replace(eta=0.1)
    assert HOW.replace(eta=0.1).rule == fl.Plain(eta=0.1)
    assert HOW.replace(samples=40).data == fl.Sample(samples=40, batch=16)
    with pytest.raises(InputError, match="Did you mean steps"):
        HOW.replace(stpes=3)


def test_adam_of_optax_is_our_adam():
    # epsilon acts on the same gradient in both; only roundings differ.
    ours = fl.run(experiment(training=HOW.with_rule(fl.Adam(eta=0.01))), seeds=1)
    for rule in (
        fl.optax_rule(optax.adam(0.01)),
        fl.optax_rule(optax.adam, learning_rate=0.01),
    ):
        theirs = fl.run(experiment(training=HOW.with_rule(rule)), seeds=1)
        np.testing.assert_allclose(
            theirs.dataset["norm"], ours.dataset["norm"], rtol=1e-4, atol=1e-6
        )


def test_another_step_size_of_an_optax_rule_compiles_nothing():
    from featlearn.training.loop import advance

    def train(eta: float) -> None:
        rule = fl.optax_rule(optax.adam, learning_rate=eta)
        fl.run(experiment(training=HOW.with_rule(rule)), seeds=1)

    compiled: Any = advance
    train(0.01)
    before = compiled._cache_size()
    train(0.02)
    assert compiled._cache_size() == before


@pytest.mark.parametrize("rule", [fl.Plain(eta=0.1), fl.Adam(eta=0.1)], ids=["plain", "adam"])
def test_coupled_decay_is_part_of_the_gradient_and_decoupled_is_not(rule, key):
    lam, law = 0.3, fl.Parity(d=4)
    net = NET.replace(d=4)
    params = net.init(key=key)
    ends = {}
    for name, decay in (
        ("none", None),
        ("coupled", fl.CoupledDecay(lam=lam)),
        ("decoupled", fl.DecoupledDecay(lam=lam)),
    ):
        phase = (
            fl.SGD(eta=1.0, steps=1, loss="logistic", decay=decay).with_rule(rule).bind(law, net)
        )
        points = phase.fixed(key=key)
        ends[name] = phase.step(phase.start(params, points), 0, points, key=key).params.w
    shrunk = ends["none"] - 2 * 0.1 * lam * params.w
    np.testing.assert_allclose(ends["decoupled"], shrunk, rtol=1e-5, atol=1e-6)
    same = np.allclose(ends["coupled"], ends["decoupled"], rtol=1e-5, atol=1e-6)
    assert same == isinstance(rule, fl.Plain)


def test_decoupled_decay_of_an_optax_rule_is_refused():
    how = HOW.replace(decay=fl.DecoupledDecay(lam=0.1)).with_rule(fl.optax_rule(optax.sgd(0.1)))
    with pytest.raises(InputError, match="DecoupledDecay: expected a rule with a step size"):
        fl.run(experiment(training=how), seeds=1)


def test_where_phases_have_several_losses_a_measurement_says_which():
    two = (HOW, HOW.replace(loss=fl.hinge))
    message = "HeldOut(loss): expected a loss, for the phases have several, got logistic, hinge."
    with pytest.raises(InputError, match=re.escape(message)):
        fl.run(experiment(training=two), seeds=1)
    told = [fl.HeldOut(samples=20, loss=fl.hinge), fl.SignalParts()]
    assert fl.run(experiment(training=two, record=told), seeds=1).dataset.sizes["step"] > 2


def test_a_loss_of_ones_own_is_what_it_computes_and_not_what_it_is_called():
    def squared(f, y):
        return jnp.abs(f - y)

    ours = fl.loss(squared)
    assert ours.name == "squared"
    assert ours != fl.squared
    assert fl.loss(lambda f, y: (f - y) ** 4) == fl.loss(lambda f, y: (f - y) ** 4)
    assert fl.loss(lambda f, y: (f - y) ** 4) != fl.loss(lambda f, y: (f - y) ** 2)
    law = fl.Parity(d=4)
    batch = law.sample(30, key=fl.stream(0, "sample"))
    by_ours = fl.fit(fl.linear(4), batch, loss=ours, lam=0.1).chosen.status
    assert "Linear system" not in by_ours
    assert "Linear system" in fl.fit(fl.linear(4), batch, loss=fl.squared, lam=0.1).chosen.status


class Diverging:
    """eta = 1e30 sends the weights beyond float32 in the second step or so."""

    training = HOW.replace(eta=1e30)


def test_divergence_is_a_status_with_its_step_everywhere(tmp_path):
    result = fl.run(experiment(training=Diverging.training), seeds=2, out=tmp_path)
    step = result.diverged[0]
    assert 1 <= step <= 6
    assert result.summary["test_accuracy"].reached == 0
    assert f"diverged: seed 0 at step {step}" in str(result)
    again = fl.run(experiment(training=Diverging.training), seeds=2, out=tmp_path)
    assert again.status == "read"
    assert again.diverged == result.diverged

    def make(eta: float = 0.2):
        return experiment(training=HOW.replace(eta=eta))

    swept = fl.sweep(make, over={"eta": [0.2, 1e30]}, seeds=1)
    assert [point.outcome for point in swept.points] == ["computed", f"1 diverged at step {step}"]
    assert swept.to_dataframe()["diverged_at"].tolist()[1] == step
    assert {str(kind) for kind in swept.to_dataframe().dtypes[2:]} == {"float64"}


def test_the_step_of_divergence_does_not_depend_on_chunks():
    from featlearn.training import train

    plan = experiment(training=Diverging.training.replace(steps=60), at=(0, 60)).plan
    ends = [list(train(plan, seed=0, chunk_seconds=seconds))[-1].diverged for seconds in (0.0, 1e9)]
    assert ends[0] is not None
    assert ends[0] == ends[1]


# Acceleration


def gaussian(**changes: Any) -> fl.Experiment:
    law = fl.Parity(d=10**6, noise="gaussian")
    return experiment(law=law, network=NET.replace(d=10**6), **changes)


def test_acceleration_is_another_experiment_with_its_measurements_mapped_along():
    quick = fl.accelerate(gaussian(record=[fl.SignalParts(), fl.HeldOut(), fl.Weights()]))
    assert isinstance(quick.phases[0], WishartDescent)
    assert quick.law.d == 2 + 6
    result = fl.run(quick, seeds=1)
    assert result.dataset["weights_w"].dims == ("seed", "step", "neuron", "coordinate")
    plain = fl.run(experiment(record=[fl.Weights()]), seeds=1)
    assert plain.dataset["weights_w"].dims == ("seed", "step", "neuron", "input")


@fl.record()
class FirstInput:
    """A measurement that only knows the coordinates of the input."""

    @property
    def quantities(self):
        return {"first": fl.Quantity(dims=("neuron",), meaning="weight of the first input")}

    def measure(self, params, *, key):
        return {"first": params.w[:, 0]}


def test_a_measurement_that_needs_the_input_is_refused_by_name():
    with pytest.raises(InputError, match=r"accelerate: expected measurements .* got FirstInput\."):
        fl.accelerate(gaussian(record=[FirstInput()]))
    quick = fl.accelerate(gaussian())
    with pytest.raises(InputError, match=r"Experiment\(record\): .* got FirstInput\."):
        quick.replace(record=[*quick.record, FirstInput()])
    assert fl.accelerate(experiment(record=[FirstInput()])) == experiment(record=[FirstInput()])


def test_a_fixed_sample_goes_to_its_span_or_without_d():
    how = fl.SGD(eta=0.2, samples=12, steps=400, loss=fl.logistic)
    quick = fl.accelerate(gaussian(training=how))
    assert isinstance(quick.law, TurnedSample)
    boolean = experiment(law=fl.Parity(d=400), network=NET.replace(d=400), training=how)
    assert isinstance(fl.accelerate(boolean).phases[0], GramDescent)
    forced = fl.accelerate(experiment(training=how), "gram")
    assert isinstance(forced.phases[0], GramDescent)
    plain = fl.run(experiment(training=how, at=3), seeds=1).dataset
    span = fl.run(forced.replace(at=3), seeds=1).dataset
    np.testing.assert_allclose(plain["norm"], span["norm"], rtol=1e-3, atol=1e-4)


def test_equal_values_are_equal_and_hash_to_one_program():
    assert experiment() == experiment()
    assert hash(experiment()) == hash(experiment())
    assert experiment() != experiment(at=5)
    turned = [
        experiment(law=fl.Parity(d=D, basis=fl.rotation(D, key=jax.random.key(seed))))
        for seed in (0, 0, 1)
    ]
    assert turned[0] == turned[1]
    assert turned[0] != turned[2]


class Opaque:
    """Something that has no description."""


@fl.record()
class Odd:
    """A law with a field that cannot be described."""

    d: int = D
    inside: Any = Opaque()

    def sample(self, m, *, key):
        return fl.Parity(d=self.d).sample(m, key=key)


def test_what_cannot_be_described_runs_without_a_store_and_is_refused_with_one(tmp_path):
    odd = experiment(law=Odd(), record=[fl.HeldOut(samples=9)])
    assert "experiment unnamed (computed)" in str(fl.run(odd, seeds=1))
    with pytest.raises(InputError, match=r"Make its class a record .* or run without a store\."):
        fl.run(odd, seeds=1, out=tmp_path)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"law": 3}, "Experiment(law): expected something with d and sample(m, key=…), got int."),
        ({"record": [fl.HeldOut]}, "Experiment(record): expected measurements such as fl.HeldOut()"
         ", got HeldOut. Write HeldOut()."),
        ({"network": NET.replace(d=9)}, "Experiment(network): expected a network of the law's d = 8"
         " inputs, got d = 9."),
        ({"training": ()}, "Experiment(training): expected at least one phase, got none."),
        ({"training": fl.logistic}, "Experiment(training): expected a phase such as fl.SGD(…), got "
         "Loss."),
    ],
)  # fmt: skip
def test_parts_that_cannot_be_are_refused_in_one_sentence(changes, sentence):
    with pytest.raises(InputError, match=f"^{re.escape(sentence)}$"):
        experiment(**changes)
