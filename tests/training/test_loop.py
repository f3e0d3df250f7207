"""The loop: the same bits however it is cut, records where they were asked for, one program."""

import re
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from featlearn._check import InputError
from featlearn._record import record
from featlearn._streams import stream
from featlearn.distributions import Parity
from featlearn.networks import Constant, Gaussian, Signs, Sphere, TwoLayer
from featlearn.training import (
    LOSSES,
    Adam,
    Descent,
    Fresh,
    Momentum,
    Plain,
    Plan,
    Population,
    Quantity,
    Recording,
    Sample,
    Weights,
    loop,
    train,
)

PARITY = Parity(d=4)
NETWORK = TwoLayer(d=4, width=6, w=Sphere(radius=0.5), a=Signs(size=0.5), scaling="mean-field")
FIRST = Descent(
    law=PARITY,
    network=NETWORK,
    loss=LOSSES["logistic"],
    data=Sample(samples=10, batch=3),
    steps=7,
    rule=Momentum(eta=0.1),
)
SECOND = replace(FIRST, data=Fresh(batch=8), rule=Adam(eta=0.1), steps=0)
THIRD = replace(FIRST, data=Fresh(batch=8), rule=Adam(eta=0.1), steps=6, schedule="linear")
FOURTH = replace(FIRST, data=Population(), steps=4, kept={"w": 0.9})
PHASES = (FIRST, SECOND, THIRD, FOURTH)


@record()
class Sums:
    """A measurement: the sum of all squared weights."""

    @property
    def quantities(self):
        return {"squares": Quantity(dims=(), meaning="sum of squared weights")}

    def measure(self, params, *, key):
        return {"squares": sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(params))}


def plan(phases=PHASES, steps=(0, 2, 7, 8, 13, 17), network=NETWORK, more=()):
    return Plan(
        init=lambda key: network.init(key=key),
        phases=phases,
        recording=Recording(measurements=(Sums(), *more), steps=steps),
    )


def programs():
    """How many compiled programs there are of the loop's body."""
    compiled: Any = loop.advance
    return compiled._cache_size()


def equal(one, other):
    assert str(jax.tree.structure(one)) == str(jax.tree.structure(other))
    jax.tree.map(np.testing.assert_array_equal, one, other)


def records(positions):
    """Everything recorded; no step twice."""
    found = [(step, each) for p in positions for step, each in p.records.items()]
    assert len({step for step, _ in found}) == len(found)
    return dict(found)


@pytest.fixture(scope="module")
def by_step():
    """The trajectory with a position after every single step."""
    return list(train(plan(more=(Weights(network=NETWORK),)), seed=3, chunk_seconds=0.0))


def test_a_trajectory_is_the_steps_of_its_phases_one_after_another(by_step):
    params, done = NETWORK.init(key=stream(3, "init")), 0
    for number, phase in enumerate(PHASES):
        fixed = phase.fixed(key=stream(3, "sample"))
        state = phase.start(params, fixed)
        for t in range(phase.steps):
            state = phase.step(state, t, fixed, key=stream(3, f"data-{number}"))
            done += 1
            reached = by_step[done]
            assert (reached.step, reached.phase) == (done, number)
            # Compiled as a loop or step by step: float32 roundings may differ by an ulp or two.
            jax.tree.map(
                lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5),
                reached.state,
                state,
            )
        params = phase.params(state, fixed)
    assert done == by_step[-1].step == 17


def test_cutting_into_chunks_changes_no_bit(by_step):
    in_one = list(train(plan(more=(Weights(network=NETWORK),)), seed=3, chunk_seconds=1e9))
    assert len(in_one) < len(by_step) == 18
    equal(in_one[-1].state, by_step[-1].state)
    equal(records(in_one), records(by_step))


def test_going_on_from_any_position_gives_the_same_bits(by_step):
    for place, position in enumerate(by_step):
        rest = list(
            train(
                plan(more=(Weights(network=NETWORK),)), seed=3, resume=position, chunk_seconds=1e9
            )
        )
        if position.step == 17:
            assert rest == []
            continue
        equal(rest[-1].state, by_step[-1].state)
        equal(records(rest), records(by_step[place + 1 :]))


def test_records_are_at_the_wanted_steps_and_at_no_other(by_step):
    assert list(records(by_step)) == [0, 2, 7, 8, 13, 17]
    for position in by_step:
        for step in position.records:
            assert step == position.step


@pytest.mark.parametrize("steps", [(0,), (17,), (7,), (13,), (3, 4, 5), tuple(range(18))])
def test_any_steps_can_be_wanted(steps):
    assert tuple(records(train(plan(steps=steps), seed=0, chunk_seconds=1e9))) == steps


def test_the_weights_are_kept_when_asked_for_and_not_otherwise(by_step):
    for step, kept in records(by_step).items():
        assert set(kept) == {"squares", "weights_w", "weights_a"}
        total = float((kept["weights_w"] ** 2).sum() + (kept["weights_a"] ** 2).sum())
        # float32 sums of 30 squares.
        assert float(kept["squares"]) == pytest.approx(total, rel=1e-5)
        np.testing.assert_array_equal(kept["weights_w"], by_step[step].state.params.w)
    assert set(records(train(plan(), seed=3))[0]) == {"squares"}


def test_another_seed_is_another_trajectory(by_step):
    other = list(train(plan(), seed=4, chunk_seconds=1e9))
    assert not np.allclose(other[-1].state.params.w, by_step[-1].state.params.w)


@pytest.mark.parametrize("a", [Signs(size=0.5), Constant(value=0.5)], ids=str)
def test_one_program_serves_all_chunks_records_and_configurations_of_a_shape(a, monkeypatch):
    # So that programs are not let go meanwhile, whatever was trained in this process before.
    monkeypatch.setattr("featlearn.training.programs._known", set())
    network = replace(NETWORK, width=5, a=a)
    before = programs()
    for seed, theta, eta in ((0, 0.5, 0.1), (1, 0.25, 0.2)):
        sized = replace(network, w=Sphere(radius=theta))
        rule = Momentum(eta=eta, beta=eta)
        phase = replace(FIRST, network=sized, steps=12 - seed, rule=rule)
        wanted = (0, 1, 5, 11) if seed else (2, 3)
        run = plan((phase,), wanted, sized)
        for chunk_seconds in (0.0, 1e9):
            list(train(run, seed=seed, chunk_seconds=chunk_seconds))
    # Arrays alone tell programs apart: a fourth has a different width.
    assert programs() - before == 1
    wider = replace(network, width=7)
    list(train(plan((replace(FIRST, network=wider),), (7,), wider), seed=0))
    assert programs() - before == 2


@record()
class ThreeLayers:
    """A network of dicts, whose middle layer is not trained."""

    d: int = 4
    trained: tuple[str, ...] = ("first", "top")
    rate: float = 2.0

    def init(self, *, key):
        of_first, of_middle = jax.random.split(key)
        return {
            "first": {"w": jax.random.normal(of_first, (5, self.d)), "b": jnp.zeros(5)},
            "middle": jax.random.normal(of_middle, (3, 5)),
            "top": jnp.ones(3),
        }

    def forward(self, params, x):
        hidden = jnp.tanh(x @ params["first"]["w"].T + params["first"]["b"])
        return jnp.tanh(hidden @ params["middle"].T) @ params["top"]


def test_a_network_of_any_shape_goes_through_the_same_loop():
    network = ThreeLayers()
    phase = replace(
        FIRST, network=network, data=Population(), rule=Plain(eta=0.1), kept={"top": 0.5}
    )
    seen = records(train(plan((phase,), (0, 7), network, more=(Weights(network=network),)), seed=0))
    points, params = PARITY.support(), network.init(key=stream(0, "init"))

    def mean_loss(params):
        return jnp.mean(jnp.log1p(jnp.exp(-points.y * network.forward(params, points.x))))

    for _ in range(7):
        g = jax.grad(mean_loss)(params)
        params = {
            "first": jax.tree.map(lambda p, slope: p - 0.2 * slope, params["first"], g["first"]),
            "middle": params["middle"],
            "top": 0.5 * params["top"] - 0.2 * g["top"],
        }
    assert set(seen[7]) - {"squares"} == {
        "weights_first_w",
        "weights_first_b",
        "weights_middle",
        "weights_top",
    }
    # Seven float32 steps.
    np.testing.assert_allclose(seen[7]["weights_first_w"], params["first"]["w"], atol=1e-5)
    np.testing.assert_allclose(seen[7]["weights_first_b"], params["first"]["b"], atol=1e-5)
    np.testing.assert_allclose(seen[7]["weights_top"], params["top"], atol=1e-5)
    np.testing.assert_array_equal(seen[7]["weights_middle"], params["middle"])
    assert np.abs(seen[7]["weights_first_w"] - seen[0]["weights_first_w"]).max() > 1e-2


def test_a_phase_begins_where_the_last_one_ended(by_step):
    # The seventh step ends the first phase, whose memory is one of momentum, not of Adam.
    third = THIRD.start(FIRST.params(by_step[7].state, None), None)
    stepped = loop.advance(THIRD, third, 0, 1, None, stream(3, "data-2"))
    equal(stepped, by_step[8].state)


REFUSED = {
    "Plan(phases): expected at least one phase, got none.": lambda: plan(phases=(), steps=(0,)),
    "Plan(recording): expected no step beyond the last, which is 17, got step 18.": (
        lambda: plan(steps=(0, 18))
    ),
}


@pytest.mark.parametrize("sentence", REFUSED)
def test_a_plan_that_cannot_be_run_is_refused_in_words(sentence):
    with pytest.raises(InputError, match=f"^{re.escape(sentence)}$"):
        REFUSED[sentence]()


def test_gaussian_starts_share_the_program_too():
    before = programs()
    for sd in (0.5, 1.0, 2.0):
        network = replace(NETWORK, width=9, w=Gaussian(sd=sd))
        list(train(plan((replace(FIRST, network=network),), (7,), network), seed=0))
    assert programs() - before == 1


def test_a_watcher_sees_the_steps_it_asks_for_and_moves_no_bit():
    alone = list(train(plan(), seed=1))
    watched = list(train(plan(), seed=1, also=lambda step: (step // 5 + 1) * 5))
    seen = {step for position in watched for step in position.records}
    assert seen == {0, 2, 5, 7, 8, 10, 13, 15, 17}
    records = {s: r for position in watched for s, r in position.records.items()}
    for position in alone:
        for step, recorded in position.records.items():
            equal(recorded, records[step])
    equal(alone[-1].state, watched[-1].state)


def test_a_watcher_that_asks_for_the_past_sees_every_step():
    watched = train(plan(), seed=1, also=lambda step: 0)
    assert [step for position in watched for step in position.records] == list(range(18))
