"""Frozen records that JAX can look into: numbers are traced, sizes and choices are static.

A description such as a network or a phase of training has two kinds of field. *Numbers* (a step
size, a radius, a matrix) may change without changing the shape of any computation; *sizes and
choices* (a width, the name of a loss) decide what is computed. `record` tells JAX which is which,
so that all configurations of equal shape share one compiled program.
"""

import dataclasses
from collections.abc import Callable
from typing import Any, TypeVar, dataclass_transform

import jax

T = TypeVar("T")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def record(*, numbers: tuple[str, ...] = ()) -> Callable[[type[T]], type[T]]:
    """Make a class a frozen keyword-only dataclass and a pytree whose leaves are `numbers`.

    Rebuilding inside JAX skips ``__init__`` and so its checks: there the numbers are tracers.

    Example:
        >>> @record(numbers=("eta",))
        ... class Descent:
        ...     eta: float
        ...     batch: int
        >>> jax.tree.leaves(Descent(eta=0.5, batch=10))
        [0.5]
    """

    def decorate(cls: type[T]) -> type[T]:
        cls = dataclasses.dataclass(frozen=True, kw_only=True)(cls)
        names = [field.name for field in dataclasses.fields(cls)]  # type: ignore[arg-type]
        static = [name for name in names if name not in numbers]
        assert set(numbers) <= set(names), f"{cls.__name__} has no field for {numbers}"

        def flatten(self: T) -> tuple[list[tuple[Any, Any]], tuple[Any, ...]]:
            leaves = [(jax.tree_util.GetAttrKey(name), getattr(self, name)) for name in numbers]
            return leaves, tuple(getattr(self, name) for name in static)

        def unflatten(choices: tuple[Any, ...], values: Any) -> T:
            self = object.__new__(cls)
            for name, value in zip((*static, *numbers), (*choices, *values), strict=True):
                object.__setattr__(self, name, value)
            return self

        jax.tree_util.register_pytree_with_keys(cls, flatten, unflatten)
        return cls

    return decorate
