"""Laws of initial weights: each record draws an array of a given shape, whose rows are neurons."""

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
    """A law of initial weights, which draws arrays whose rows are neurons."""

    def draw(self, shape: tuple[int, ...], *, key: Key[Array, ""]) -> Array:
        """Draw an array of the given shape."""
        ...


@record(numbers=("radius",))
class Sphere:
    """A law of weights whose rows are uniform on a sphere of given radius (Glasgow 2023)."""

    radius: float
    """Length of the rows."""

    def __post_init__(self) -> None:
        require_size(self.radius, "Sphere(radius)", squared=True)

    def draw(self, shape: tuple[int, ...], *, key: Key[Array, ""]) -> Float[Array, "..."]:
        """Draw Gaussian rows and scale each to the length `radius`."""
        g = jax.random.normal(key, shape)
        return self.radius * g / jnp.linalg.norm(g, axis=-1, keepdims=True)


@record(numbers=("sd",))
class Gaussian:
    """A law of weights with independent N(0, sd^2) entries (Shi et al. 2022, Frei et al. 2022)."""

    sd: float
    """Standard deviation of the entries."""

    def __post_init__(self) -> None:
        require_size(self.sd, "Gaussian(sd)")

    def draw(self, shape: tuple[int, ...], *, key: Key[Array, ""]) -> Float[Array, "..."]:
        """Draw standard normal entries and multiply them by `sd`."""
        return self.sd * jax.random.normal(key, shape)


@record(numbers=("sd",))
class FoldedGaussian:
    """A law of Gaussian rows in `d` dimensions whose unused columns are replaced by their norm.

    If all but n coordinates of the input in R^d are 0, a neuron's weights on the other coordinates
    have no effect on its output and change by weight decay only. It is enough to store their norm,
    in one last column (the (n+1)-th), on which the input is 0. The draws are those of `Gaussian` in
    d dimensions for the same key, so that the two forms can be compared.
    """

    sd: float
    d: int

    def __post_init__(self) -> None:
        require_size(self.sd, "FoldedGaussian(sd)")

    def draw(self, shape: tuple[int, ...], *, key: Key[Array, ""]) -> Float[Array, "..."]:
        """Draw rows in d dimensions and return their first columns, then the norm of all others."""
        full = self.sd * jax.random.normal(key, (*shape[:-1], self.d))
        inside = shape[-1] - 1
        outside = jnp.linalg.norm(full[..., inside:], axis=-1, keepdims=True)
        return jnp.concatenate([full[..., :inside], outside], axis=-1)


@record()
class Ternary:
    """A law of independent weights, uniform on {-1, 0, 1} (Daniely & Malach 2020)."""

    def draw(self, shape: tuple[int, ...], *, key: Key[Array, ""]) -> Float[Array, "..."]:
        """Draw independent entries, each of which is -1, 0 or 1 with probability 1/3."""
        return jnp.floor(3 * jax.random.uniform(key, shape)) - 1


@record(numbers=("size",))
class Signs:
    """A law of independent weights that are fair signs times `size` (second layer of Glasgow)."""

    size: float
    """Absolute value of the entries."""

    def __post_init__(self) -> None:
        require_size(self.size, "Signs(size)")

    def draw(self, shape: tuple[int, ...], *, key: Key[Array, ""]) -> Float[Array, "..."]:
        """Draw fair signs, each from one random bit, and multiply them by `size`."""
        return self.size * signs(math.prod(shape[:-1]), shape[-1], key=key).reshape(shape)


@record(numbers=("size",))
class BalancedSigns:
    """Fixed weights: +size in the first half of the rows, -size in the second (Frei et al.).

    If the number of rows is odd, the middle row is 0.
    """

    size: float
    """Absolute value of the entries."""

    def __post_init__(self) -> None:
        require_size(self.size, "BalancedSigns(size)")

    def draw(self, shape: tuple[int, ...], *, key: Key[Array, ""]) -> Float[Array, "..."]:
        """Return the fixed weights; the key is not used."""
        n = shape[0]
        half = jnp.sign(jnp.arange(n, 0, -1, dtype=float) - (n + 1) / 2)
        return jnp.broadcast_to(self.size * half.reshape(n, *[1] * (len(shape) - 1)), shape)


@record(numbers=("bound",))
class Uniform:
    """A law of independent weights, uniform on [-bound, bound] (Daniely & Malach 2020)."""

    bound: float
    """Largest absolute value of the entries."""

    def __post_init__(self) -> None:
        require_size(self.bound, "Uniform(bound)")

    def draw(self, shape: tuple[int, ...], *, key: Key[Array, ""]) -> Float[Array, "..."]:
        """Draw independent entries that are uniform on [-bound, bound]."""
        return self.bound * jax.random.uniform(key, shape, minval=-1.0, maxval=1.0)


@record()
class Glorot:
    """A law of independent weights, uniform on [-c, c] (Glorot & Bengio 2010).

    The bound is given by c^2 = 6/(inputs + outputs) of the layer.

    Rows are neurons, so a matrix of shape (p, d) has d inputs and p outputs; a vector of p weights
    is a layer with p inputs and one output.
    """

    def draw(self, shape: tuple[int, ...], *, key: Key[Array, ""]) -> Float[Array, "..."]:
        """Draw independent entries that are uniform on [-c, c], where `shape` determines c."""
        ends = sum(shape) if len(shape) > 1 else shape[0] + 1
        return Uniform(bound=math.sqrt(6 / ends)).draw(shape, key=key)


@record(numbers=("value",))
class Constant:
    """Fixed weights, all of which are equal to `value`."""

    value: float
    """The value of all entries."""

    def __post_init__(self) -> None:
        require_size(self.value, "Constant(value)")

    def draw(self, shape: tuple[int, ...], *, key: Key[Array, ""]) -> Float[Array, "..."]:
        """Return an array filled with `value`; the key is not used."""
        return jnp.full(shape, self.value, dtype=float)
