r"""How many samples reach an accuracy: read off one run of SGD, or searched for a kernel.

    n(d)   samples to accuracy 0.95   fit   n = d (a + b log d)   local exponent   d log n/d log d

SGD sees every sample once, so that one run tells it: the first crossing of the held-out accuracy,
in steps times m, interpolated between two records. A kernel is fitted to nested samples (the first
n points of one long draw of the seed), and n is bisected in its logarithm.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from featlearn._streams import stream
from featlearn.baselines import Family, exact_ntk, finite_ntk, fit, random_features
from featlearn.distributions import Batch, Parity
from featlearn.measurements import crossing
from featlearn.networks import Signs, Sphere, TwoLayer
from featlearn.theory import log_log_slope
from featlearn.theory.estimates import student

LEVEL = 0.95
"""The accuracy to reach."""
RIDGE = 1e-4
"""What is added to the diagonal of every kernel matrix, over the mean of K(x, x): XOR has no noise
to smooth away. In units of the mean loss, as `fit` takes it, that is RIDGE/n."""
TEST = 1000
"""Held-out points of a kernel."""


def reached(
    at: Float[np.ndarray, " steps"],
    accuracy: Float[np.ndarray, "seeds steps"],
    level: float = LEVEL,
) -> Float[np.ndarray, " seeds"]:
    """Where the recorded curve of each seed first reaches `level`; NaN if it never does.

    Example:
        >>> reached(np.array([0.0, 10.0, 20.0]), np.array([[0.5, 0.9, 1.0]])).round(6)
        array([15.])
    """
    return crossing(at, [(accuracy.astype(float), level, ">=")])


def family(name: str, d: int, seed: int) -> Family:
    """The exact NTK of the paper's network, or that of 4d neurons, or 2 d^2 random features."""
    sphere, signs = Sphere(radius=1.0), Signs(size=1.0)
    if name == "ntk":
        return exact_ntk(TwoLayer(d=d, width=1, w=sphere, a=signs, scaling="mean-field"))
    width = 4 * d if name == "finite ntk" else 2 * d * d
    network = TwoLayer(d=d, width=width, w=sphere, a=signs, scaling="mean-field")
    params = network.init(key=stream(seed, "init"))
    build = finite_ntk if name == "finite ntk" else random_features
    return build(network, params)


def kernel_samples(name: str, d: int, seed: int, *, tolerance: float = 0.05) -> float:
    """The least n, up to `tolerance`, at which ridge regression on that kernel is right on 95 %."""
    xor, most = Parity(d=d), 4 * d * d
    points = xor.sample(most, key=stream(seed, "sample"))
    test = xor.sample(TEST, key=stream(seed, "test"))
    kernel = family(name, d, seed)

    def enough(n: int) -> bool:
        batch = Batch(x=points.x[:n], y=points.y[:n])
        chosen = fit(kernel, batch, validation=test, grid=(RIDGE / n,), form="kernel").chosen
        assert chosen.validation is not None
        return 1 - chosen.validation.error >= LEVEL

    return bisected(enough, low=max(2, d // 2), start=max(4, d * d // 2), high=most, near=tolerance)


def bisected(
    enough: Callable[[int], bool], *, low: int, start: int, high: int, near: float
) -> float:
    """The least whole number at which a monotone condition holds, to a ratio 1 + near; or NaN.

    Example:
        >>> bisected(lambda n: n >= 100, low=2, start=30, high=1000, near=0.001)
        100.0
    """
    top = start
    while not enough(top):
        if top >= high:
            return math.nan
        low, top = top, min(high, 2 * top)
    while top > low + 1 and top > low * (1 + near):
        middle = min(max(round(math.sqrt(low * top)), low + 1), top - 1)
        low, top = (low, middle) if enough(middle) else (middle, top)
    return float(top)


@dataclass(frozen=True, kw_only=True)
class Curve:
    """Samples needed against d, one row a dimension and one column a seed."""

    name: str
    d: tuple[int, ...]
    samples: Float[np.ndarray, "sizes seeds"]

    @property
    def exponent(self) -> tuple[float, float]:
        """Slope of log n against log d, with its standard error over seeds."""
        return log_log_slope(np.array(self.d, float), self.samples)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the exponent."""
        slope, stderr = self.exponent
        n = self.samples.shape[1]
        if not math.isfinite(stderr):
            return None
        half = student(0.975, n - 1) * stderr
        return slope - half, slope + half

    @property
    def local(self) -> tuple[float, float]:
        """The exponent between the two largest d."""
        return log_log_slope(np.array(self.d[-2:], float), self.samples[-2:])

    @property
    def linear_log(self) -> tuple[Float[np.ndarray, " seeds"], Float[np.ndarray, " seeds"]]:
        """a and b of n/d = a + b log d, least squares, one of each a seed."""
        d = np.array(self.d, float)
        b, a = np.polyfit(np.log(d), self.samples / d[:, None], 1)
        return a, b
