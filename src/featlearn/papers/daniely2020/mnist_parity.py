"""Products of digits, the experiment of Daniely & Malach's conference version (NeurIPS 2020).

x = k digits side by side, pixels in [0, 1]; y the product of their parities, +1 for an even digit.
Every step draws new combinations. Hinge loss; Adadelta with rho = .95, epsilon = 1e-7; weights
start from Glorot's uniform law and biases from 0, but where told:

    network          f = sum_j a_j relu(w_j.x + b_j), all trained
    ntk              f = sum_j a_j 1[g_j.x > 0] (w_j.x + b_j), gates g fixed, the rest trained
    relu-features    as the network, but only a is trained
    cosine-features  f = sum_j a_j cos(w_j.x + b_j), w ~ N(0, 16/d), b uniform on a period; only a

Adadelta's step size is its library's default, which was 1 and became .001: eta says which. The bias
of the output, which the original's library adds, is left out: the labels balance.
"""

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import featlearn as fl
from featlearn._check import require_positive
from featlearn.experiments.named import NamedExperiment

if TYPE_CHECKING:
    from featlearn.distributions.images import Products

MODELS = ("network", "ntk", "relu-features", "cosine-features")


@dataclass(frozen=True, kw_only=True)
class DigitProducts:
    """A network, or a model with fixed features, on the parity of k digits side by side."""

    dataset: Literal["digits", "mnist"] = "digits"
    """The images: 8 x 8 digits that scikit-learn carries, or MNIST, whose files are in --data."""
    data: str | None = field(default=None, metadata={"hashed": False})
    """Folder of image files; none: FEATLEARN_DATA, then the user's data folder."""
    model: Literal["network", "ntk", "relu-features", "cosine-features"] = "network"
    """What is trained: all of it, all but the gates, or the read-out of ReLUs or of cosines."""
    k: int = 3
    """Number of digits side by side."""
    width: int = 512
    """Number of neurons (the paper's q)."""
    eta: float = 1.0
    """Step size of Adadelta; the library's default was 1.0 and is 0.001 now."""
    batch: int = 128
    """Fresh combinations of digits a step."""
    steps: int = 9380
    """Number of steps (T); 9380 are 20 epochs of 60 000 combinations."""
    test: int = 10_000
    """Held-out points, combinations of held-out digits."""
    records: int = 20
    """About how many steps are recorded, log-spaced."""

    def __post_init__(self) -> None:
        require_positive(self.k, "k", least=1)
        require_positive(self.width, "width", least=1)
        require_positive(self.eta, "eta")
        require_positive(self.batch, "batch", least=1)
        require_positive(self.steps, "steps", least=1)
        require_positive(self.test, "test", least=1)
        require_positive(self.records, "records", least=2)

    def distribution(self, split: str) -> "Products":
        """Products of the digits of one split, "train" or "test"."""
        from featlearn.distributions.images import digit_products, load

        return digit_products(load(self.dataset, split, self.data), self.k)

    def network(self, d: int) -> "fl.TwoLayer | fl.Gated":
        """The model on d pixels, before its weights are drawn."""
        import jax.numpy as jnp

        glorot, zero = fl.Glorot(), fl.Constant(value=0.0)
        if self.model == "ntk":
            return fl.Gated(d=d, width=self.width, g=glorot, w=glorot, a=glorot, b=zero)
        cosines = self.model == "cosine-features"
        return fl.TwoLayer(
            d=d,
            width=self.width,
            w=fl.Gaussian(sd=4 / math.sqrt(d)) if cosines else glorot,
            a=glorot,
            b=fl.Uniform(bound=math.pi) if cosines else zero,
            activation=fl.activation(jnp.cos) if cosines else fl.relu,
            scaling="one",
            trained=("w", "a", "b") if self.model == "network" else ("a",),
        )

    def experiment(self) -> "fl.Experiment":
        """One phase of Adadelta on fresh combinations."""

        law = self.distribution("train")
        phase = fl.Descent(
            loss=fl.loss("hinge"),
            data=fl.Fresh(batch=self.batch),
            steps=self.steps,
            rule=fl.Adadelta(eta=self.eta, rho=0.95, epsilon=1e-7),
        )
        return fl.Experiment(
            law,
            self.network(law.d),
            phase,
            record=(fl.HeldOut(samples=self.test, law=self.distribution("test")),),
            at=self.records,
            summary=(
                *fl.last("test_accuracy", "test_loss"),
                fl.Best(quantity="test_accuracy", name="best_accuracy"),
            ),
        )


MNIST_PARITY = NamedExperiment(
    id="daniely2020.mnist-parity",
    title="Parity of digits side by side: a network beside fixed features",
    config=DigitProducts(),
    references=("daniely2020",),
)
