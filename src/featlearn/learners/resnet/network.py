"""ResNet(m), a ResNet-18 with m filters in its first block (He et al. 2016; S appendix E.4).

S is Shi, Wei & Liang (2022).

m        filters of block 1; blocks 2, 3, 4 have 2m, 4m, 8m and halve the image
stem     3 x 3 convolution to m channels; stride 1, or 2 for images of 64 x 64 and larger
unit     x -> relu(BN(conv(relu(BN(conv(x))))) + shortcut(x)); two units a block
read-out mean over the image, then linear to the classes

The shortcut is the identity, or BN(1 x 1 convolution) where the number of channels changes.
ResNet(64) is the usual ResNet-18 for small images, of 11 173 962 parameters with ten classes.

A network is a dictionary of arrays and a pure function of that dictionary. The running means and
variances of batch normalisation are in a second dictionary, because gradient steps do not change
them.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from featlearn._check import require
from featlearn.learners.resnet.extra import Tensor

BLOCKS, UNITS = 4, 2
RUNNING = 0.1
"""The weight of a batch in the running means and variances."""
EPSILON = 1e-5

Arrays = dict[str, np.ndarray]
Tensors = Mapping[str, Tensor]


@dataclass(frozen=True, kw_only=True)
class ResNet:
    """The description of a ResNet, without its weights.

    Example:
        >>> ResNet(filters=64, classes=10).parameters
        11173962
        >>> ResNet(filters=5, classes=10).last_filters
        ('block-1.1.conv-1', 'block-2.1.conv-1', 'block-3.1.conv-1', 'block-4.1.conv-1')
    """

    filters: int
    """m: the number of filters in the first block."""
    classes: int
    channels: int = 3
    side: int = 32
    """Height and width of the images."""

    def __post_init__(self) -> None:
        require(self.filters >= 1, "ResNet(filters)", "at least 1", self.filters)
        require(self.classes >= 2, "ResNet(classes)", "at least 2", self.classes)
        require(self.channels >= 1, "ResNet(channels)", "at least 1", self.channels)
        require(self.side >= 8, "ResNet(side)", "images of at least 8 x 8", self.side)

    @property
    def stem_stride(self) -> int:
        """The stride of the first convolution: 2 for images of 64 x 64 and larger, else 1."""
        return 2 if self.side >= 64 else 1

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes of all parameters, by name."""
        shapes: dict[str, tuple[int, ...]] = {}
        for name, into, out, kernel in self._convolutions():
            shapes[name] = (out, into, kernel, kernel)
            shapes[f"{name}.scale"] = shapes[f"{name}.shift"] = (out,)
        shapes["read-out"] = (self.classes, self.filters * 2 ** (BLOCKS - 1))
        shapes["read-out.shift"] = (self.classes,)
        return shapes

    @property
    def parameters(self) -> int:
        """The number of trained parameters."""
        return sum(math.prod(shape) for shape in self.shapes.values())

    @property
    def last_filters(self) -> tuple[str, ...]:
        """The last 3 x 3 convolution of each residual block, whose filters are recorded."""
        return tuple(f"block-{b}.{UNITS - 1}.conv-1" for b in range(1, BLOCKS + 1))

    def init(self, *, rng: np.random.Generator) -> Arrays:
        """Draw convolutions from N(0, 2/fan-out) and a read-out uniform within ±1/sqrt(fan-in).

        Scales are 1 and shifts 0. NumPy draws the numbers, so that they do not depend on the
        version of torch.
        """
        params: Arrays = {}
        for name, shape in self.shapes.items():
            if len(shape) == 4:
                fan_out = shape[0] * shape[2] * shape[3]
                drawn = rng.normal(scale=math.sqrt(2 / fan_out), size=shape)
            elif name.startswith("read-out"):
                bound = 1 / math.sqrt(self.shapes["read-out"][1])
                drawn = rng.uniform(-bound, bound, size=shape)
            else:
                drawn = np.full(shape, float(name.endswith(".scale")))
            params[name] = drawn.astype(np.float32)
        return params

    def init_running(self) -> Arrays:
        """Return the initial running means, which are 0, and running variances, which are 1."""
        return {
            f"{name}.{what}": np.full(out, value, np.float32)
            for name, _, out, _ in self._convolutions()
            for what, value in (("mean", 0.0), ("variance", 1.0))
        }

    def forward(self, params: Tensors, running: Tensors, x: Tensor, *, training: bool) -> Tensor:
        """Return the scores of the classes (logits), one row per image.

        Args:
            params: the parameters that `init` returns, as tensors.
            running: the running numbers that `init_running` returns; training changes them in
                place.
            x: images, with the channels before rows and columns.
            training: normalise by the batch itself instead of the running numbers.
        """
        import torch.nn.functional as F

        def convolved(x: Tensor, name: str, stride: int) -> Tensor:
            weight = params[name]
            z = F.conv2d(x, weight, stride=stride, padding=weight.shape[-1] // 2)
            return F.batch_norm(
                z,
                running[f"{name}.mean"],
                running[f"{name}.variance"],
                params[f"{name}.scale"],
                params[f"{name}.shift"],
                training,
                RUNNING,
                EPSILON,
            )

        x = F.relu(convolved(x, "stem", self.stem_stride))
        for block in range(1, BLOCKS + 1):
            for unit in range(UNITS):
                name, stride = f"block-{block}.{unit}", 2 if block > 1 and unit == 0 else 1
                inner = F.relu(convolved(x, f"{name}.conv-0", stride))
                inner = convolved(inner, f"{name}.conv-1", 1)
                shortcut = f"{name}.shortcut"
                x = F.relu(inner + (convolved(x, shortcut, stride) if shortcut in params else x))
        return F.linear(x.mean(dim=(2, 3)), params["read-out"], params["read-out.shift"])

    def _convolutions(self) -> Iterator[tuple[str, int, int, int]]:
        """Yield the name, input channels, output channels and kernel size of every convolution."""
        yield "stem", self.channels, self.filters, 3
        into = self.filters
        for block in range(1, BLOCKS + 1):
            out = self.filters * 2 ** (block - 1)
            for unit in range(UNITS):
                name = f"block-{block}.{unit}"
                yield f"{name}.conv-0", into, out, 3
                yield f"{name}.conv-1", out, out, 3
                if into != out:
                    yield f"{name}.shortcut", into, out, 1
                into = out
