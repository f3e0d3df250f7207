"""What is wrong in a user's own part is found by one dry call, and said with its file and line."""

import re
from typing import Any

import jax
import jax.numpy as jnp
import pytest

import featlearn as fl
from featlearn._check import InputError

NET = fl.TwoLayer(d=3, width=4, w=fl.Sphere(radius=1.0), a=fl.Signs(size=1.0), scaling="one")
HOW = fl.SGD(eta=0.1, batch=8, steps=2, loss=fl.logistic)


@fl.record()
class Law:
    """A law that can be wrong in several ways."""

    wrong: str = ""
    d: int = 3

    def sample(self, m, *, key):
        x = jax.random.normal(key, (m, self.d + (self.wrong == "shape")))
        y = jnp.sign(x[:, 0])
        if self.wrong == "labels":
            y = (y + 1) / 2
        if self.wrong == "numbers":
            y = jnp.full(m, jnp.nan)
        if self.wrong == "raises":
            raise ZeroDivisionError("by nothing")
        return (x, y) if self.wrong == "pair" else fl.Batch(x=x, y=y)


class NoRecord(Law):
    """A class that JAX cannot look into."""


@fl.record()
class Angle:
    """A measurement that can be wrong in two ways."""

    wrong: str = ""

    @property
    def quantities(self):
        return {"angle": fl.Quantity(dims=("neuron",), meaning="an angle")}

    def measure(self, params, *, key):
        name = "angel" if self.wrong == "name" else "angle"
        return {name: params.w.sum() if self.wrong == "axes" else params.w[:, 0]}


@fl.record()
class Rule:
    """A rule whose memory grows."""

    def start(self, params):
        return jnp.zeros(1)

    def move(self, gradient, memory, *, params, scale, t):
        return gradient, jnp.concatenate([memory, memory])


def scalar(f, y):
    return jnp.mean((f - y) ** 2)


def of_one(f):
    return f


def experiment(**parts: Any) -> fl.Experiment:
    given = {"law": Law(), "network": NET, "training": HOW, "record": [fl.HeldOut(samples=9)]}
    return fl.Experiment(**{**given, **parts})


WRONG: dict[str, dict[str, Any]] = {
    r"Law \(test_dry_call.py:\d+\): expected labels -1 and 1 for the logistic loss, got labels 0, 1"
    r". Return 2 \* y - 1.": {"law": Law(wrong="labels")},
    r"Law \(test_dry_call.py:\d+\): expected x of shape \(8, d\) = \(8, 3\) and y of shape \(8,\), "
    r"got \(8, 4\) and \(8,\).": {"law": Law(wrong="shape")},
    r"Law \(test_dry_call.py:\d+\): expected finite points and labels, got numbers that are not "
    r"finite.": {"law": Law(wrong="numbers")},
    r"Law \(test_dry_call.py:\d+\): expected sample to give a fl.Batch, got tuple.": {
        "law": Law(wrong="pair")
    },
    r"Law.sample \(test_dry_call.py:\d+\): expected a call that works, got ZeroDivisionError: by "
    r"nothing.": {"law": Law(wrong="raises")},
    r"NoRecord \(test_dry_call.py:\d+\): expected a record, got a class. Put @fl.record\(\) above "
    r"the class; .*": {"law": NoRecord()},
    r"Angle \(test_dry_call.py:\d+\): expected the quantities angle, got angel.": {
        "record": [Angle(wrong="name")]
    },
    r"Angle \(test_dry_call.py:\d+\): expected angle with the axes \(neuron\), got 0 axes.": {
        "record": [Angle(wrong="axes")]
    },
    r"Rule \(test_dry_call.py:\d+\): expected a step that keeps the shapes of the state, got other "
    r"shapes.": {"training": HOW.with_rule(Rule())},
    r"scalar \(test_dry_call.py:\d+\): expected the loss to give one number per point, got shape "
    r"\(\).": {"training": HOW.replace(loss=fl.loss(scalar))},
    r"the loss of_one \(test_dry_call.py:\d+\): expected a call that works, got TypeError: .*": {
        "training": HOW.replace(loss=fl.loss(of_one))  # type: ignore[arg-type]
    },
    r"Computed\('mean'\): expected one number per seed, shape \(2,\), got shape \(\). .*": {
        "summary": [fl.Computed(name="mean", function=lambda data: data["test_loss"].mean())]
    },
}


@pytest.mark.parametrize("sentence", WRONG)
def test_it_is_said_in_one_sentence_before_anything_runs(sentence, monkeypatch):
    def never(*args: Any, **more: Any) -> None:
        raise AssertionError("something ran")

    monkeypatch.setattr("featlearn.experiments.run.execute", never)
    with pytest.raises(InputError) as told:
        fl.run(experiment(**WRONG[sentence]), seeds=1)
    assert re.fullmatch(sentence, str(told.value)), str(told.value)


def test_parts_that_are_right_run():
    result = fl.run(experiment(record=[fl.HeldOut(samples=9), Angle()]), seeds=1)
    assert result.dataset["angle"].dims == ("seed", "step", "neuron")


def test_a_sweep_is_tried_before_anything_runs(monkeypatch):
    def make(d: int = 3):
        return experiment(law=Law(wrong="labels"))

    with pytest.raises(InputError, match="expected labels -1 and 1"):
        fl.sweep(make, over={"d": [3]}, seeds=1)
