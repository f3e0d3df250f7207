"""Draw neurons as points of a map of their cosines, and their weights as images."""

import numpy as np
from jaxtyping import Float

from featlearn.figures.record import Axis, Frame, Panel, Raster, Series
from featlearn.measurements import Gathering
from featlearn.measurements.neuron_map import cosine_map, directions

SHOWN = 150
"""The most neurons on a map: the cost of scaling grows with the cube of their number."""


def map_panel(
    after: dict[str, Float[np.ndarray, "neurons inputs"]],
    star: Float[np.ndarray, " inputs"],
    title: str = "",
) -> Panel:
    """Return a panel with one map of the neurons per recorded step, and two stars: `star` and
    `-star`.

    Each neuron has the colour of the star that is nearer to it at the last step.

    A neuron that is never active ends at exactly 0; it has no direction and is left out.
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
    return _map(frames, title)


def gathering_panel(
    after: dict[str, Float[np.ndarray, "neurons inputs"]], found: Gathering, title: str = ""
) -> Panel:
    """Return a map of the neurons per recorded step, coloured by the cluster in which they end."""
    colours = [f"cluster-{1 + place}" for place in range(min(found.count, 5))]
    named = [(f"cluster of {size}", place) for place, size in enumerate(found.sizes)]
    groups = [*zip(named, colours, strict=False), (("in none", -1), "no-cluster")]
    frames = []
    for label, w in after.items():
        points = cosine_map(w)
        series = [
            Series(name=name, x=points[who, 0], y=points[who, 1], role=role, kind="points")
            for (name, place), role in groups
            if (who := found.labels == place).any()
        ]
        frames.append(Frame(label=label, series=tuple(series)))
    return _map(frames, title)


def _map(frames: list[Frame], title: str) -> Panel:
    """Return a panel of frames in the two coordinates of `cosine_map`."""
    return Panel(
        x=Axis(label="first coordinate"),
        y=Axis(label="second coordinate"),
        frames=tuple(frames),
        title=title,
        equal=True,
    )


def weights_panel(
    rows: Float[np.ndarray, "clusters inputs"], shape: tuple[int, int, int], title: str
) -> Panel:
    """Return weights as images side by side: means over channels, each divided by its largest
    entry.
    """
    height, width, channels = shape
    images = rows.reshape(-1, height, width, channels).mean(axis=3)
    largest = np.abs(images).max(axis=(1, 2), keepdims=True)
    images = images / np.where(largest == 0, 1, largest)
    gap = np.full((len(images), height, 1), np.nan)
    strip = np.concatenate(
        [np.concatenate(pair, axis=1) for pair in zip(images, gap, strict=True)], 1
    )
    z = strip[::-1, :-1]
    middles = [place * (width + 1) + (width - 1) / 2 for place in range(len(images))]
    return Panel(
        x=Axis(
            label="cluster",
            ticks=tuple((middle, str(1 + place)) for place, middle in enumerate(middles)),
        ),
        y=Axis(label="pixels", ticks=((0.0, ""),)),
        raster=Raster(
            x=np.arange(z.shape[1], dtype=float),
            y=np.arange(z.shape[0], dtype=float),
            z=z,
            role="signed",
        ),
        title=title,
        equal=True,
    )
