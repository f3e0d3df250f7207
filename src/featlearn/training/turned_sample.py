r"""Full-batch descent on a fixed Gaussian sample, at a cost that does not depend on d.

    n   points      d   inputs      k   signal directions      p   neurons      s = k + n + p
    X   (n, d) = [S, sigma Z]       S (n, k) signal coordinates      Z (n, d-k) independent N(0,1)

Neither training nor any measurement depends on more of R^d than the span of the signal, the
sample and the initial neurons, and the law is the same after any rotation that keeps the signal.
Three rotations are used, each of a part that is independent of the parts before it:

    the points       Z    -> [A_n, 0]         A_n (n, n) Bartlett's factor with d - k degrees
    the neurons      W_0  -> [N, omega A_p]   N (p, k + n) as in R^d, A_p with d - k - n degrees
    a test point     its k signal coordinates, and n + p others independent N(0, sigma^2)

and rows on a sphere are normalised afterwards. So the descent in s coordinates, where d
enters only through the two chi-square laws, has the law of the one in R^d; `GramDescent` then
computes it from n x n matrices. It needs d >= k + n + p.
"""

from dataclasses import replace
from typing import cast

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import Float, Key

from featlearn._check import require
from featlearn._record import bound, record
from featlearn.distributions import Batch, Draw, SignalAndNoise
from featlearn.distributions.clusters import DrawsClusters
from featlearn.networks import Gaussian, Sphere, TwoLayer
from featlearn.training.bartlett import bartlett
from featlearn.training.data import Sample
from featlearn.training.descent import Descent
from featlearn.training.wishart import TurnedRows, is_rotatable, require_rotatable


@record(numbers=("inside",))
class TurnedSample:
    """The sample of a distribution in R^d, rotated into the first k + n coordinates."""

    inside: SignalAndNoise
    """The distribution of a point in those coordinates: signal and Gaussian noise."""
    full: int
    """The dimension d that is simulated."""

    @property
    def d(self) -> int:
        """The number of coordinates that are simulated."""
        return self.inside.d

    @property
    def unseen(self) -> SignalAndNoise:
        """The law of a point that training does not see."""
        return self.inside

    @property
    def labels(self) -> dict[str, tuple[str, ...]]:
        """The names of the clusters and directions, by axis."""
        named: dict[str, tuple[str, ...]] = getattr(self.inside, "labels", {})
        return named

    @property
    def mean_labels(self) -> Float[Array, " clusters"]:
        """The clean label of each cluster, if there are clusters."""
        return cast(DrawsClusters, self.inside).mean_labels

    def sample(self, m: int, *, key: Key[Array, ""]) -> Batch:
        """Draw `m` points whose inner products have the law of those of points in R^d."""
        of_signal, of_noise = jax.random.split(key)
        batch = self.inside.sample(m, key=of_signal)
        return Batch(x=self._turned(batch.x, of_noise), y=batch.y)

    def draw(self, m: int, *, key: Key[Array, ""]) -> Draw:
        """Draw the points of `sample`, with clean labels and clusters, where there are any."""
        of_signal, of_noise = jax.random.split(key)
        draw = cast(DrawsClusters, self.inside).draw(m, key=of_signal)
        return replace(draw, x=self._turned(draw.x, of_noise))

    def _turned(
        self, x: Float[Array, "samples inputs"], key: Key[Array, ""]
    ) -> Float[Array, "samples inputs"]:
        """Keep the signal coordinates of x, and put Bartlett's factor in the place of the noise."""
        m, k = len(x), self.inside.k
        sd = self.inside.noise_sd
        assert sd is not None
        noise = sd * bartlett(m, self.full - k, key=key)
        rest = jnp.zeros((m, self.d - k - m), x.dtype)
        return jnp.concatenate([x[:, :k], noise.astype(x.dtype), rest], axis=1)


def fits(descent: Descent) -> bool:
    """Whether the descent uses a fixed Gaussian sample and d is large enough to rotate it."""
    return (
        isinstance(descent.data, Sample)
        and is_rotatable(descent)
        and bound(descent.law, "Descent", "a law").d >= coordinates(descent)
    )


def coordinates(descent: Descent) -> int:
    """Return the number of coordinates s = k + n + p that the simulation of a descent needs."""
    distribution, network = descent.law, descent.network
    assert isinstance(distribution, SignalAndNoise)
    assert isinstance(network, TwoLayer)
    assert isinstance(descent.data, Sample)
    return distribution.k + descent.data.samples + network.width


def on_turned_sample(descent: Descent) -> Descent:
    """Return a descent on a fixed sample with the same law, in k + n + p coordinates.

    The distribution must have Gaussian noise, and the network's first layer be Sphere or
    Gaussian.
    """
    require_rotatable(descent)
    distribution, network = descent.law, descent.network
    require(
        fits(descent),
        "simulation=gram (d)",
        "a fixed sample and d >= k + samples + width",
        f"d = {getattr(distribution, 'd', None)}",
        "Use --simulation plain.",
    )
    assert isinstance(distribution, SignalAndNoise)
    assert isinstance(network, TwoLayer)
    assert isinstance(descent.data, Sample)
    law = network.w
    assert isinstance(law, Sphere | Gaussian)
    size, kept = coordinates(descent), distribution.k + descent.data.samples
    return replace(
        descent,
        law=TurnedSample(inside=distribution.in_dimensions(size), full=distribution.d),
        network=replace(network, d=size, w=TurnedRows(law=law, d=distribution.d, k=kept)),
    )
