"""Two classes of images as a distribution: every image of a set equally likely.

n   images      d = height * width * channels      x in [0, 1]^d, or less its mean      y = ±1
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
    """The uniform law on finitely many labelled points; a sample has no point twice."""

    x: Float[Array, "samples inputs"]
    y: Float[Array, " samples"]

    def __post_init__(self) -> None:
        n, labels = len(self.x), len(self.y)
        require(n == labels, "PointSet(x, y)", "as many labels as points", f"{n} and {labels}")

    @property
    def d(self) -> int:
        """Input dimension."""
        return int(self.x.shape[1])

    @property
    def points(self) -> int:
        """How many there are."""
        return len(self.y)

    def sample(self, m: int, *, key: Key[Array, ""]) -> Batch:
        """Different points in random order; all of them for m = n."""
        require(1 <= m <= self.points, "PointSet.sample(m)", f"1 to {self.points} points", m)
        chosen = jax.random.permutation(key, self.points)[:m]
        return Batch(x=self.x[chosen], y=self.y[chosen])

    def support(self) -> Batch:
        """Every point with its probability 1/n."""
        weight = jnp.full(self.points, 1 / self.points, self.x.dtype)
        return Batch(x=self.x, y=self.y, weight=weight)


def two_classes(images: Images, centre: Float[np.ndarray, " inputs"] | None = None) -> PointSet:
    """The images of two classes, labelled -1 and +1; less `centre`, such as a training mean."""
    classes = len(images.classes)
    require(classes == 2, "two_classes", "images of two classes", classes, "Use images.only(0, 1).")
    x = images.flat if centre is None else images.flat - centre
    return PointSet(x=jnp.asarray(x), y=jnp.asarray(2 * images.labels - 1, x.dtype))
