"""The error of a kernel on XOR when its regulariser is chosen with hindsight."""

from featlearn._streams import stream
from featlearn.baselines import exact_ntk, fit
from featlearn.distributions import Parity
from featlearn.networks import Signs, Sphere, TwoLayer


def best_kernel_error(d: int, width: int, samples: int, test: int, seed: int) -> float:
    """Error of ridge regression on the exact NTK, its regulariser chosen on the test points."""
    network = TwoLayer(
        d=d, width=width, w=Sphere(radius=1.0), a=Signs(size=1.0), scaling="mean-field"
    )
    xor = Parity(d=d)
    batch = xor.sample(samples, key=stream(seed, "sample"))
    held_out = xor.sample(test, key=stream(seed, "test"))
    found = fit(exact_ntk(network), batch, validation=held_out, criterion="error")
    return found.score(held_out).error
