"""Maps of neurons by their cosines: multidimensional scaling, as in figures 2 to 15."""

from typing import Any

import numpy as np
from jaxtyping import Float

from featlearn.figures.record import Axis, Frame, Panel, Series

SHOWN = 150
"""Neurons on a map: scaling costs the cube of their number."""


def directions(w: Float[np.ndarray, "neurons inputs"]) -> Float[np.ndarray, "neurons inputs"]:
    """Rows of length one; rows of zeros stay."""
    largest = np.abs(w).max(axis=1, keepdims=True)
    scaled = w / np.where(largest == 0, 1, largest)
    norms = np.linalg.norm(scaled, axis=1, keepdims=True)
    return scaled / np.where(norms == 0, 1, norms)


def cosine_map(rows: Float[np.ndarray, "points inputs"]) -> Float[np.ndarray, "points 2"]:
    """Two coordinates a row such that distances are near 1 - cosine (metric scaling, seed 0)."""
    import inspect

    from sklearn.manifold import MDS

    unit = directions(rows)
    distances = np.clip(1 - unit @ unit.T, 0, 2)
    np.fill_diagonal(distances, 0)
    known = inspect.signature(MDS.__init__).parameters
    choices: dict[str, Any] = {"random_state": 0, "n_init": 1, "max_iter": 200}
    named = "metric" if "metric_mds" in known else "dissimilarity"
    choices[named] = "precomputed"
    if "init" in known:
        choices["init"] = "classical_mds"
    return np.asarray(MDS(**choices).fit_transform((distances + distances.T) / 2))


def map_panel(
    after: dict[str, Float[np.ndarray, "neurons inputs"]],
    star: Float[np.ndarray, " inputs"],
    title: str = "",
) -> Panel:
    """A slider over steps: neurons, coloured by the star they end up nearest to, and both stars.

    A neuron that no point reaches ends as 0 exactly; it has no direction, and is left out.
    """
    ends = list(after.values())[-1]
    alive = np.flatnonzero(np.abs(ends).max(axis=1) > 0)[:SHOWN]
    last = directions(ends[alive]) @ directions(star[None])[0]
    groups = (
        ("nearer to the sum of the relevant patterns", "positive", last > 0),
        ("nearer to its opposite", "negative", last <= 0),
    )
    frames = []
    for label, w in after.items():
        points = cosine_map(np.vstack([w[alive], star, -star]))
        series = [
            Series(
                name=name, x=points[:-2][who, 0], y=points[:-2][who, 1], role=role, kind="points"
            )
            for name, role, who in groups
        ]
        stars = Series(
            name="the sum and its opposite", x=points[-2:, 0], y=points[-2:, 1], role="paper",
            kind="points",
        )  # fmt: skip
        frames.append(Frame(label=label, series=(*series, stars)))
    return Panel(
        x=Axis(label="first coordinate"),
        y=Axis(label="second coordinate"),
        frames=tuple(frames),
        title=title,
        equal=True,
    )
