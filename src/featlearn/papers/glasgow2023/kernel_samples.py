"""How many samples a kernel of the paper's network needs on XOR."""

from featlearn._streams import stream
from featlearn.baselines import Family, exact_ntk, finite_ntk, least_samples, random_features
from featlearn.distributions import Parity
from featlearn.networks import Signs, Sphere, TwoLayer

LEVEL = 0.95
"""The accuracy to reach."""
RIDGE = 1e-4
"""Small: XOR has no noise to smooth away."""
TEST = 1000
"""Held-out points."""


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


def kernel_samples(name: str, d: int, seed: int) -> float:
    """The least n, up to 5 %, at which ridge regression on that kernel is right on 95 %."""
    xor = Parity(d=d)
    return least_samples(
        family(name, d, seed),
        xor.sample(4 * d * d, key=stream(seed, "sample")),
        xor.sample(TEST, key=stream(seed, "test")),
        level=LEVEL,
        ridge=RIDGE,
        low=max(2, d // 2),
        start=max(4, d * d // 2),
    )
