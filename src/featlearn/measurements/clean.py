r"""Clean gradients: the loss derivative is taken at the centre of the cluster (Glasgow 2023).

    x = z + xi, z one of ±mu1, ±mu2            l'(z)   derivative of the loss at f(z), label y

    grad_w^cl = a E[l'(z) s'(w.x) x]           grad_a^cl = E[l'(z) s(w.x)]          equation 4.7

They have l'(z) in the place of l'(x), so that all points of one cluster have the same factor and
sums over xi have closed forms. In the main text of the ICLR version the last x of the first formula
is missing.
"""

import jax.numpy as jnp

from featlearn.distributions import Batch, Parity
from featlearn.networks import Params, TwoLayer
from featlearn.training import Loss
from featlearn.training.gradient import point_weights


def clean_gradient(
    network: TwoLayer, loss: Loss, params: Params, batch: Batch, distribution: Parity
) -> Params:
    """Return the clean gradient over a batch, scaled as in `featlearn.training.gradient`.

    The gradients of the paper are `network.rate` times as large. If the label depends on all
    directions of x (d = k), the clean gradient is the gradient itself.

    Example:
        >>> import jax
        >>> from featlearn.networks import Gaussian
        >>> from featlearn.training import gradient, loss
        >>> of, law = loss("logistic"), Gaussian(sd=1.0)
        >>> network, xor = TwoLayer(d=2, width=3, w=law, a=law, scaling="one"), Parity(d=2)
        >>> params, points = network.init(key=jax.random.key(0)), xor.support()
        >>> clean = clean_gradient(network, of, params, points, xor)
        >>> bool(jnp.allclose(clean.w, gradient(network, of, params, points).w))
        True
    """
    directions = distribution.directions.astype(batch.x.dtype)
    centre = (batch.x @ directions.T) @ directions
    pull = loss.derivative(network.forward(params, centre), batch.y)
    z = network.preactivations(params, batch.x)
    delta = network.scale * point_weights(batch) * pull
    slopes = delta[:, None] * params.a * network.activation.derivative(z)
    moves = {
        "w": slopes.T @ batch.x,
        "a": delta @ network.activation.value(z),
        "b": None if params.b is None else slopes.sum(axis=0),
    }
    still = {
        part: value if value is None or part in network.trained else jnp.zeros_like(value)
        for part, value in moves.items()
    }
    return Params(w=still["w"], a=still["a"], b=still["b"])  # type: ignore[arg-type]
