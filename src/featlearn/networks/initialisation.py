"""Where weights start: each record draws an array of the shape it is asked for."""

import math
from typing import Protocol, runtime_checkable

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Key

from featlearn._check import require_size
from featlearn._record import record
from featlearn.distributions import signs


@runtime_checkable
class Initialisation(Protocol):
    """A law of initial weights; rows are neurons."""

    def draw(self, shape: tuple[int, ...], *, key: Key[Array, ""]) -> Array:
        """Draw an array of that shape."""
        ...


@record(numbers=("radius",))
class Sphere:
    """Rows uniform on the sphere of that radius (Glasgow 2023)."""

    radius: float
    """Length of the rows."""

    def __post_init__(self) -> None:
        require_size(self.radius, "Sphere(radius)", squared=True)

    def draw(self, shape: tuple[int, ...], *, key: Key[Array, ""]) -> Float[Array, "..."]:
        """Normalised Gaussian rows."""
        g = jax.random.normal(key, shape)
        return self.radius * g / jnp.linalg.norm(g, axis=-1, keepdims=True)


@record(numbers=("sd",))
class Gaussian:
    """Independent N(0, sd^2) entries (Shi et al. 2022, Frei et al. 2022)."""

    sd: float
    """Standard deviation of the entries."""

    def __post_init__(self) -> None:
        require_size(self.sd, "Gaussian(sd)")

    def draw(self, shape: tuple[int, ...], *, key: Key[Array, ""]) -> Float[Array, "..."]:
        """Scaled normals."""
        return self.sd * jax.random.normal(key, shape)


@record(numbers=("sd",))
class FoldedGaussian:
    """N(0, sd^2) entries in `d` dimensions, the columns beyond the last but one folded into a norm.

    Where the input lives in n coordinates of R^d, the part of a neuron outside them never meets
    it and only decays: all that is left of it is its norm, one last column, where the input is 0.
    The draws are those of `Gaussian` in d dimensions, so that the two forms can be compared.
    """

    sd: float
    d: int

    def __post_init__(self) -> None:
        require_size(self.sd, "FoldedGaussian(sd)")

    def draw(self, shape: tuple[int, ...], *, key: Key[Array, ""]) -> Float[Array, "..."]:
        """The first columns as they are, then the norm of the others."""
        full = self.sd * jax.random.normal(key, (*shape[:-1], self.d))
        inside = shape[-1] - 1
        outside = jnp.linalg.norm(full[..., inside:], axis=-1, keepdims=True)
        return jnp.concatenate([full[..., :inside], outside], axis=-1)


@record()
class Ternary:
    """Independent entries uniform on {-1, 0, 1} (Daniely & Malach 2020)."""

    def draw(self, shape: tuple[int, ...], *, key: Key[Array, ""]) -> Float[Array, "..."]:
        """Draw the entries; each of the three values has a third of the unit interval."""
        return jnp.floor(3 * jax.random.uniform(key, shape)) - 1


@record(numbers=("size",))
class Signs:
    """Independent fair signs times `size` (Glasgow's second layer)."""

    size: float
    """Absolute value of the entries."""

    def __post_init__(self) -> None:
        require_size(self.size, "Signs(size)")

    def draw(self, shape: tuple[int, ...], *, key: Key[Array, ""]) -> Float[Array, "..."]:
        """Scaled signs from random bits."""
        return self.size * signs(math.prod(shape[:-1]), shape[-1], key=key).reshape(shape)


@record(numbers=("size",))
class BalancedSigns:
    """+size for the first half of the rows, -size for the second, 0 in an odd middle (Frei)."""

    size: float
    """Absolute value of the entries."""

    def __post_init__(self) -> None:
        require_size(self.size, "BalancedSigns(size)")

    def draw(self, shape: tuple[int, ...], *, key: Key[Array, ""]) -> Float[Array, "..."]:
        """Not random at all."""
        n = shape[0]
        half = jnp.sign(jnp.arange(n, 0, -1, dtype=float) - (n + 1) / 2)
        return jnp.broadcast_to(self.size * half.reshape(n, *[1] * (len(shape) - 1)), shape)


@record(numbers=("bound",))
class Uniform:
    """Independent entries uniform on [-bound, bound] (Daniely & Malach's second layer)."""

    bound: float
    """Largest absolute value of the entries."""

    def __post_init__(self) -> None:
        require_size(self.bound, "Uniform(bound)")

    def draw(self, shape: tuple[int, ...], *, key: Key[Array, ""]) -> Float[Array, "..."]:
        """Scaled uniforms."""
        return self.bound * jax.random.uniform(key, shape, minval=-1.0, maxval=1.0)


@record()
class Glorot:
    """Uniform on [-c, c] with c^2 = 6 over (inputs + outputs) of the layer (Glorot & Bengio 2010).

    Rows are neurons, so a matrix of shape (p, d) has d inputs and p outputs; a vector of p weights
    is a layer with p inputs and one output.
    """

    def draw(self, shape: tuple[int, ...], *, key: Key[Array, ""]) -> Float[Array, "..."]:
        """Scaled uniforms."""
        ends = sum(shape) if len(shape) > 1 else shape[0] + 1
        return Uniform(bound=math.sqrt(6 / ends)).draw(shape, key=key)


@record(numbers=("value",))
class Constant:
    """All entries the same."""

    value: float
    """The value of all entries."""

    def __post_init__(self) -> None:
        require_size(self.value, "Constant(value)")

    def draw(self, shape: tuple[int, ...], *, key: Key[Array, ""]) -> Float[Array, "..."]:
        """Filled."""
        return jnp.full(shape, self.value, dtype=float)
