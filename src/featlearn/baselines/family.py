r"""Families of linear models on fixed features, described by a kernel, by features or by both.

    f(x) = f0(x) + theta . phi(x),        K(x, z) = phi(x) . phi(z)

Every baseline that does not learn features has this form. A family describes its kernel and, if
there are finitely many, its features; `fit` computes with whichever is cheaper. All evaluations are
in float64, because small eigenvalues of K decide what can be fitted with a small regulariser.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Float

from featlearn._check import require

SLICE_BYTES = 128 * 2**20
"""Kernels and features are evaluated in slices of about this size."""

Matrix = Float[np.ndarray, "samples others"]
Numbers: TypeAlias = np.ndarray | Array
"""An array of NumPy or of JAX."""
OfPoints = Callable[[Array], Numbers]
OfPairs = Callable[[Array, Array], Numbers]


@dataclass(frozen=True, kw_only=True)
class Family:
    """All functions f0 + theta . phi for one feature map phi, such as `rbf` or `exact_ntk` make."""

    name: str
    kernel: OfPairs
    """K(x, z) for two sets of points, one a row."""
    dimension: int | None = None
    """How many features there are; None where there is only a kernel."""
    features: OfPoints | None = None
    """phi(x), a row a point."""
    offset: OfPoints | None = None
    """f0(x), the output before anything is fitted; None is 0."""
    apply: OfPairs | None = None
    """theta . phi(x) from (theta, x), where that is cheaper than forming phi; linear in theta."""

    def __post_init__(self) -> None:
        require(
            (self.dimension is None) == (self.features is None),
            f"Family({self.name!r})",
            "features together with their dimension, or neither",
            f"dimension={self.dimension}",
        )

    @property
    def rows(self) -> int:
        """The number of points that are passed to `push` at once.

        It is larger if the family has `apply`, with which no features are stored.
        """
        if self.apply is not None:
            return 2048
        return max(1, SLICE_BYTES // (8 * (self.dimension or 1)))

    def push(self, theta: Any, x: Any) -> Any:
        """Return theta . phi(x) for every point: a function linear in theta that JAX can trace."""
        if self.apply is not None:
            return self.apply(theta, x)
        assert self.features is not None
        return self.features(x) @ theta


def gram(
    family: Family,
    x: Float[Numbers, "samples inputs"],
    z: Float[Numbers, "others inputs"],
) -> Matrix:
    """Return the kernel matrix K(x, z) in float64, computed for slices of the rows of x.

    Example:
        >>> from featlearn.baselines import rbf
        >>> gram(rbf(0.5), np.zeros((1, 2)), np.ones((1, 2))).round(4)
        array([[0.3679]])
    """
    with jax.enable_x64(True):
        others = jnp.asarray(_double(z))
    return _sliced(lambda rows: family.kernel(rows, others), x, (len(z),), 8 * len(z))


def features(family: Family, x: Float[Numbers, "samples inputs"]) -> Float[np.ndarray, "samples N"]:
    """Return the features phi(x) in float64, one row per point, computed in slices of rows."""
    phi, n = family.features, family.dimension
    require(
        phi is not None,
        f"features({family.name!r})",
        "a family with finitely many features",
        "a kernel only",
        "Use `gram`, or `kernel_factor` for features of the sample alone.",
    )
    assert phi is not None
    assert n is not None
    return _sliced(phi, x, (n,), 8 * n)


def offset(family: Family, x: Float[Numbers, "samples inputs"]) -> Float[np.ndarray, " samples"]:
    """Return the fixed offset f0(x) in float64, which is 0 if the family has none."""
    if family.offset is None:
        return np.zeros(len(x))
    return _sliced(family.offset, x, (), 8 * x.shape[1])


def outputs_of(
    family: Family, theta: Float[np.ndarray, " N"], x: Float[Numbers, "samples inputs"]
) -> Float[np.ndarray, " samples"]:
    """Return theta . phi(x) in float64, by `apply` if the family has it."""
    return _sliced(lambda rows: family.push(theta, rows), x, (), SLICE_BYTES // family.rows)


def _double(x: Numbers) -> Float[np.ndarray, "samples inputs"]:
    return np.asarray(x, dtype=np.float64)


def _sliced(function: OfPoints, x: Numbers, row: tuple[int, ...], row_bytes: int) -> np.ndarray:
    """Return `function` of x, computed for slices of its rows that fit into `SLICE_BYTES`."""
    points = _double(x)
    result = np.empty((len(points), *row))
    size = max(1, SLICE_BYTES // row_bytes)
    with jax.enable_x64(True):
        for start in range(0, len(points), size):
            part = slice(start, start + size)
            result[part] = np.asarray(function(jnp.asarray(points[part])))
    return result
