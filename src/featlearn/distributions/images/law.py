"""The law of two classes of images: every image of a set is equally likely.

n   images      d = height * width * channels      x in [0, 1]^d, or x - centre      y = ±1
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import Float, Key

from featlearn._check import require
from featlearn._record import record
from featlearn.distributions.batch import Batch
from featlearn.distributions.images.images import Images


@record(numbers=("x", "y"))
class PointSet:
    """The uniform law on a finite number of labelled points, sampled without replacement."""

    x: Float[Array, "samples inputs"]
    y: Float[Array, " samples"]

    def __post_init__(self) -> None:
        n, labels = len(self.x), len(self.y)
        require(n == labels, "PointSet(x, y)", "as many labels as points", f"{n} and {labels}")

    @property
    def d(self) -> int:
        """The input dimension."""
        return int(self.x.shape[1])

    @property
    def points(self) -> int:
        """The number n of points."""
        return len(self.y)

    def sample(self, m: int, *, key: Key[Array, ""]) -> Batch:
        """Draw `m` different points in random order, which are all points if m = n."""
        require(1 <= m <= self.points, "PointSet.sample(m)", f"1 to {self.points} points", m)
        chosen = jax.random.permutation(key, self.points)[:m]
        return Batch(x=self.x[chosen], y=self.y[chosen])

    def support(self) -> Batch:
        """Return every point with its label and its probability 1/n."""
        weight = jnp.full(self.points, 1 / self.points, self.x.dtype)
        return Batch(x=self.x, y=self.y, weight=weight)


def two_classes(images: Images, centre: Float[np.ndarray, " inputs"] | None = None) -> PointSet:
    """Return the law of the images of two classes, labelled -1 and +1.

    The vector `centre`, such as the mean of the training images, is subtracted from every image.
    """
    classes = len(images.classes)
    require(classes == 2, "two_classes", "images of two classes", classes, "Use images.only(0, 1).")
    x = images.flat if centre is None else images.flat - centre
    return PointSet(x=jnp.asarray(x), y=jnp.asarray(2 * images.labels - 1, x.dtype))
