"""What is recorded of a ResNet: its loss and accuracy, its filters, and its early gradients.

The filters of a residual block are those of its last 3 x 3 convolution. (Shi, Wei & Liang 2022
do not say which filters they draw; they speak of 3 x 3 x 1024 numbers per filter, which is block 4
of their ResNet(128).) Only the pairwise cosines of filters are recorded; maps, groups and clusters
are all computed from these.

v1, v2, v3   mean gradients of one filter over steps 1-10, 11-20 and 21-30;   v   their mean

The cosines cos(v1, v), cos(v2, v), cos(v3, v), cos(v1, v2), cos(v1, v3) and cos(v2, v3) are
recorded, as in table 7 of that paper.
"""

import numpy as np
from jaxtyping import Float

from featlearn.learners.family import Labelled
from featlearn.learners.resnet.extra import Tensor
from featlearn.learners.resnet.network import BLOCKS, ResNet
from featlearn.learners.resnet.plan import Scores
from featlearn.measurements.opposite_groups import cosines_of
from featlearn.training import Quantity
from featlearn.training.loop import Record

PAIRS = ("v1, v", "v2, v", "v3, v", "v1, v2", "v1, v3", "v2, v3")


def quantities() -> dict[str, Quantity]:
    """Return the axes and the meaning of the arrays of `filter_record`, by name."""
    described = {}
    for b in range(1, BLOCKS + 1):
        described[f"cosines_{b}"] = Quantity(
            dims=(f"filter_{b}", f"other_{b}"),
            meaning=f"cosines between the filters of residual block {b}",
        )
        described[f"early_{b}"] = Quantity(
            dims=(f"filter_{b}", "pair"),
            meaning=f"cosines of the early mean gradients of each filter of block {b} (table 7)",
        )
    return described


def filter_record(network: ResNet, state: dict[str, dict[str, Tensor]]) -> Record:
    """Return the cosines of the filters of each block, and those of their early gradients."""
    record: Record = {}
    for b, name in enumerate(network.last_filters, start=1):
        w = _array(state["params"][name])
        record[f"cosines_{b}"] = cosines_of(w.reshape(len(w), -1)).astype(np.float32)
        record[f"early_{b}"] = gradient_cosines(_array(state["early"][name]))
    return record


def gradient_cosines(
    trunks: Float[np.ndarray, "3 filters inputs"],
) -> Float[np.ndarray, "filters 6"]:
    """Return the cosines of the six `PAIRS` of each filter's mean gradients; 0 if one is 0."""
    v1, v2, v3 = np.asarray(trunks, float)
    v = v1 + v2 + v3
    pairs = ((v1, v), (v2, v), (v3, v), (v1, v2), (v1, v3), (v2, v3))
    found = [_cosine(a, b) for a, b in pairs]
    return np.stack(found, axis=1).astype(np.float32)


def judge(scores: Scores, labelled: Labelled) -> tuple[float, float]:
    """Return the mean of -ln f(x)_y, and the share of points whose most probable class is y."""
    z = scores(channels_first(labelled.x)).astype(float)
    top = z.max(axis=1)
    log_sum = top + np.log(np.exp(z - top[:, None]).sum(axis=1))
    own = z[np.arange(len(z)), labelled.labels]
    return float((log_sum - own).mean()), float((z.argmax(axis=1) == labelled.labels).mean())


def channels_first(
    x: Float[np.ndarray, "images height width channels"],
) -> Float[np.ndarray, "images channels height width"]:
    """Move the channels before height and width, as torch expects them."""
    return np.ascontiguousarray(np.transpose(x, (0, 3, 1, 2)), dtype=np.float32)


def _array(value: Tensor) -> np.ndarray:
    return value if isinstance(value, np.ndarray) else value.detach().cpu().numpy()


def _cosine(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    norms = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    return (a * b).sum(axis=1) / np.where(norms == 0, 1, norms)
