r"""The neural tangent kernel (NTK) of infinitely many neurons, averaged over the initial weights.

For one neuron with w, b, a drawn by the network's own laws and z = w.x + b, z' = w.x' + b,

    K(x, x') = c { E s(z) s(z')  +  E[a^2] E s'(z) s'(z') (x.x' + 1) },      c = rate scale^2 width
                   from a                                 w      b

where each term is present only if its part of the weights is trained. The factor c is 1 in the
scalings "mean-field" and "sqrt". In the scaling "one" it is the width; there the initial E[a^2]
must fall like 1/width if the terms of w and b are to have a limit. Pairing neurons does not change
the expectation. K is known for two kinds of network,

    ReLU without biases, w Gaussian or on a sphere       arc-cosine kernels, exact in every d
    any activation, w Gaussian, b none, constant, Gaussian       `gaussian_pairs`

and for ReLU w on the sphere of radius rho gives the same K as Gaussian w with sd rho/sqrt(d). The
finite kernel of `finite_ntk` at a random initialisation differs from K by O(1/sqrt(width)).
"""

import jax
import numpy as np
from jax import Array
from jaxtyping import Float

from featlearn._check import InputError, require
from featlearn.baselines.arc_cosine import arc_cosine
from featlearn.baselines.family import Family, Numbers
from featlearn.baselines.gaussian_pairs import pair_expectations
from featlearn.networks import (
    RELU,
    BalancedSigns,
    Constant,
    Gaussian,
    Signs,
    Sphere,
    Ternary,
    TwoLayer,
    Uniform,
)
from featlearn.training.gradient import Number


def exact_ntk(network: TwoLayer) -> Family:
    """Return the infinite-width NTK of `network`, computed from the laws of its initial weights.

    Example:
        >>> import jax.numpy as jnp
        >>> from featlearn.networks import Signs
        >>> network = TwoLayer(
        ...     d=2, width=100, w=Sphere(radius=1.0), a=Signs(size=1.0), scaling="mean-field"
        ... )
        >>> K = exact_ntk(network).kernel
        >>> x = jnp.array([[1.0, 1.0], [1.0, -1.0]])
        >>> K(x, x).round(4)  # 1/2 + 2/2 on the diagonal, 1/(2 pi) off it
        Array([[1.5   , 0.1592],
               [0.1592, 1.5   ]], dtype=float32)
    """
    count = network.rate * network.scale**2 * network.width
    of_a = count * float("a" in network.trained)
    of_z = count * _mean_square(network.a)
    of_w = of_z * float("w" in network.trained)
    of_b = of_z * float("b" in network.trained and network.b is not None)
    require(
        of_a + of_w + of_b > 0,
        "exact_ntk(network)",
        "at least one trained part",
        network.trained,
        "Name w, a or b in the network's `trained`.",
    )

    if network.activation == RELU and network.b is None:
        sd = _gaussian_sd(network, allow_sphere=True)
        return Family(name="NTK", kernel=lambda x, z: _relu(x, z, sd, of_a, of_w))

    sd, mean, bias_variance = _gaussian_sd(network, allow_sphere=False), 0.0, 0.0
    if isinstance(network.b, Constant):
        mean = network.b.value
    elif isinstance(network.b, Gaussian):
        bias_variance = network.b.sd**2
    elif network.b is not None:
        raise _unknown("b", network.b, "none, Constant or Gaussian")

    def kernel(x: Numbers, z: Numbers) -> Float[np.ndarray, "samples others"]:
        x, z = np.asarray(x, dtype=np.float64), np.asarray(z, dtype=np.float64)
        inner = x @ z.T
        variance, other = (sd**2 * np.sum(p**2, axis=1) + bias_variance for p in (x, z))
        values, slopes = pair_expectations(
            network.activation, mean, variance, other, sd**2 * inner + bias_variance
        )
        return of_a * values + slopes * (of_w * inner + of_b)

    return Family(name="NTK", kernel=kernel)


def _mean_square(law: object) -> float:
    """Return E[a^2] for a law of initial second-layer weights."""
    if isinstance(law, Gaussian):
        return law.sd**2
    if isinstance(law, Signs | BalancedSigns):
        return law.size**2
    if isinstance(law, Uniform):
        return law.bound**2 / 3
    if isinstance(law, Constant):
        return law.value**2
    if isinstance(law, Ternary):
        return 2 / 3
    raise _unknown("a", law, "Gaussian, Signs, BalancedSigns, Uniform, Constant or Ternary")


def _gaussian_sd(network: TwoLayer, *, allow_sphere: bool) -> float:
    """Return the sd of the Gaussian entries of w, or of Gaussian entries with the same kernel.

    The latter is used if w is on a sphere and `allow_sphere` is True.
    """
    if isinstance(network.w, Gaussian):
        return network.w.sd
    if isinstance(network.w, Sphere) and allow_sphere:
        return network.w.radius / network.d**0.5
    options = "Gaussian or Sphere" if allow_sphere else "Gaussian"
    raise _unknown("w", network.w, options)


def _unknown(part: str, law: object, options: str) -> InputError:
    return InputError(
        f"exact_ntk(network): the law of {part}",
        options,
        type(law).__name__,
        "Take `finite_ntk` at a large width instead.",
    )


@jax.jit
def _relu(
    x: Float[Array, "samples inputs"],
    z: Float[Array, "others inputs"],
    sd: Number,
    of_a: Number,
    of_w: Number,
) -> Float[Array, "samples others"]:
    values, slopes = arc_cosine(1, x, z) / 2, arc_cosine(0, x, z) / 2
    return of_a * sd**2 * values + of_w * (x @ z.T) * slopes
