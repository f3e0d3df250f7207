"""The law of points made of k images side by side, labelled by the parity of their classes.

    n   images, each of s pixels        k   images per point        d = k s

x = (u_1, …, u_k) with independent u_i, uniform on the n images, in [0, 1]^s; y = c_1 … c_k, where
c_i = ±1 is the label of u_i. The pixels of x are in another order than those of one wide picture;
this makes no difference to a fully connected network. In Daniely & Malach (2020, conference
version) the images are digits, with c = 1 for an even digit and c = -1 for an odd one.

The labels of different places are independent, so with m = E c and any function h of one image

    E y = m^k,        E[y h(u_i)] = m^(k-1) E[c h(u)]:

If even and odd digits are equally frequent, m = 0, and no function of fewer than k of the images is
correlated with the label.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Float, Key, UInt8

from featlearn._check import require
from featlearn._record import record
from featlearn.distributions.batch import Batch
from featlearn.distributions.images.images import Images


@record(numbers=("pixels", "signs"))
class Products:
    """The law of points made of k independent images, labelled by the product of their signs."""

    pixels: UInt8[Array, "images pixels"]
    """Kept as bytes, a quarter of the memory; a sample is scaled to [0, 1]."""
    signs: Float[Array, " images"]
    k: int = 3

    def __post_init__(self) -> None:
        n, labels = len(self.pixels), len(self.signs)
        require(n == labels >= 1, "Products(signs)", f"{n} signs, one an image", labels)
        require(self.k >= 1, "Products(k)", "at least 1 image a point", self.k)

    @property
    def d(self) -> int:
        """The input dimension, which is k times the number of pixels of an image."""
        return self.k * int(self.pixels.shape[1])

    def sample(self, m: int, *, key: Key[Array, ""]) -> Batch:
        """Draw `m` independent points with their labels."""
        chosen = jax.random.randint(key, (m, self.k), 0, len(self.signs))
        x = self.pixels[chosen].reshape(m, self.d).astype(jnp.float32) / 255
        return Batch(x=x, y=jnp.prod(self.signs[chosen], axis=1))

    @property
    def label_mean(self) -> float:
        """The mean label E y = m^k, where m is the mean sign of an image."""
        return float(np.mean(np.asarray(self.signs, np.float64)) ** self.k)

    @property
    def chance(self) -> float:
        """The accuracy (1 + |E y|) / 2 of the better of the two constant predictions."""
        return (1 + abs(self.label_mean)) / 2

    def label_correlations(self) -> Float[np.ndarray, " inputs"]:
        """Return E[y x_j] for every pixel j of a point.

        The value is m^(k-1) E[c u_j], the same for each of the k images.
        """
        signs = np.asarray(self.signs, np.float64)
        one = signs @ (np.asarray(self.pixels) / 255) / len(signs)
        return np.tile(np.mean(signs) ** (self.k - 1) * one, self.k)


def digit_products(digits: Images, k: int = 3) -> Products:
    """Return the law of k digits side by side; the sign of a digit is +1 if even and -1 if odd.

    Example:
        >>> from featlearn.distributions.images import load
        >>> law = digit_products(load("digits", "train"))
        >>> law.d, round(law.chance, 4)
        (192, 0.5)
    """
    require(len(digits.classes) == 10, "digit_products", "ten classes", len(digits.classes))
    signs = 1 - 2 * (digits.labels % 2)
    pixels = digits.pixels.reshape(len(digits), -1)
    return Products(pixels=jnp.asarray(pixels), signs=jnp.asarray(signs, jnp.float32), k=k)
