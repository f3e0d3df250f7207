"""Any gradient transformation of optax as an update rule.

    optax_rule(optax.adam, learning_rate=1e-2)      its numbers may change without compiling again
    optax_rule(optax.adam(1e-2))                    its numbers are part of the program

The gradient that the rule receives has been multiplied by the network's `rate`, which is the
width p in the mean-field scaling. A rule that does not depend on the gradient's size (Adam) is
not affected, except through its epsilon, which acts as epsilon/p on the gradient of the mean
loss; clipping by norm sees norms p times as large. The rule receives only the parts that are
trained.
"""

from collections.abc import Callable
from typing import Any

import jax

from featlearn._check import InputError, require
from featlearn._describe import by_code
from featlearn._record import record
from featlearn.training.rules import Rule, Scale, Time, Tree


@record(numbers=("hyperparameters",))
class OptaxRule:
    """The move v is -scale times the update of an optax transformation; `optax_rule` makes one."""

    make: Callable[..., Any]
    """A function from hyperparameters to the transformation."""
    hyperparameters: dict[str, float]

    def start(self, params: Tree) -> Tree:
        """Return the initial state of the optax transformation."""
        return self._transformation().init(params)

    def move(
        self, gradient: Tree, memory: Tree, *, params: Tree, scale: Scale, t: Time
    ) -> tuple[Tree, Tree]:
        """Return the move and the new state.

        An optax update is added to the parameters, so the move is minus the update.
        """
        updates, memory = self._transformation().update(gradient, memory, params)
        return jax.tree.map(lambda update: -scale * update, updates), memory

    def _transformation(self) -> Any:
        if not self.hyperparameters:
            return self.make()
        return _optax().inject_hyperparams(self.make)(**self.hyperparameters)


def optax_rule(transformation: Any, **hyperparameters: float) -> Rule:
    """Make an update rule from optax.

    Its argument is a transformation, or a function that returns one, with its hyperparameters.
    """
    optax = _optax()
    if isinstance(transformation, optax.GradientTransformation):
        require(not hyperparameters, "optax_rule", "a function with its numbers", "a finished rule")
        return OptaxRule(make=by_code(_Finished(transformation).make), hyperparameters={})
    require(
        callable(transformation) and bool(hyperparameters),
        "optax_rule",
        "a transformation such as optax.adam(1e-2), or optax.adam with learning_rate=1e-2",
        repr(transformation),
    )
    return OptaxRule(make=by_code(transformation), hyperparameters=hyperparameters)


class _Finished:
    """A transformation whose hyperparameters are already set."""

    def __init__(self, transformation: Any) -> None:
        def make() -> Any:
            return transformation

        self.make = make


def _optax() -> Any:
    try:
        import optax
    except ImportError:
        how = "Give `pip install optax`."
        raise InputError("optax_rule", "the package optax", "none installed", how) from None
    return optax
