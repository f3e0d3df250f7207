"""Filters of a trained ResNet: groups, maps and early gradients; table 7, figures 20 and 21.

The paper's ResNet(128) and ResNet(256) need a GPU; `--size full` trains them. At the quick size
smaller ones are trained on the images that are there. Such a row names its network and its images,
and is never held against the paper's number, which counts as not run.

The paper does not give its step size, and the early gradients hang on it: a large step leaves, in
thirty steps, the place where the first gradients were taken. So table 7 has a second recipe.

Which convolution the filters are from is ours to choose (`learners.resnet.filters`); the paper
picks its two clusters by hand, and here `measurements.opposite_groups` does, after training.
Beside each number stands what the same rule finds among the filters before training.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from featlearn.distributions.images import load
from featlearn.experiments.run import Result
from featlearn.figures.neuron_map import SHOWN
from featlearn.figures.record import Axis, Figure, Frame, Panel, Series
from featlearn.measurements.gathering import LEAST, gathering
from featlearn.measurements.neuron_map import cosine_map
from featlearn.measurements.opposite_groups import (
    Groups,
    between_centres,
    nearest_to_centre,
    opposite_groups,
    to_centre,
)
from featlearn.papers.shi2022.on_images import files_of
from featlearn.papers.shi2022.resnet import RESNET
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import cell
from featlearn.results.ledger import Printed, Row, Status

BLOCKS = (1, 2, 3, 4)
QUICK_SEEDS, FULL_SEEDS = 2, 3
IMAGES = 10_000
"""Airplanes and automobiles among the official training images."""
RESOLVE = 0.1
"""How finely a cosine has to be known to tell; the paper's are of one network, hand picked."""


@dataclass(frozen=True, kw_only=True)
class Published:
    """A network of the paper, and the one that stands for it at the quick size."""

    filters: int
    quick: int
    accuracy: float
    """Test accuracy after 20 epochs, in %."""
    captions: tuple[tuple[float, float, float], ...]
    """Green, red and between the two centres, for each residual block."""
    gradients: tuple[float, ...]
    """The six cosines of table 7."""


PUBLISHED = (
    Published(
        filters=128,
        quick=8,
        accuracy=95.75,
        captions=(
            (0.6152, 0.6973, -0.7245),
            (0.5528, 0.6000, -0.7509),
            (0.4260, 0.5006, -0.5099),
            (0.5584, 0.5697, -0.9074),
        ),
        gradients=(0.9727, 0.8655, 0.6549, 0.7454, 0.5083, 0.6533),
    ),
    Published(
        filters=256,
        quick=16,
        accuracy=93.8,
        captions=(
            (0.7065, 0.6551, -0.7875),
            (0.6599, 0.5299, -0.9004),
            (0.5193, 0.6267, -0.9258),
            (0.7386, 0.6839, -0.9740),
        ),
        gradients=(0.8646, 0.9665, 0.9121, 0.7087, 0.6919, 0.9135),
    ),
)


STEP_SIZES = (RESNET.config.eta, 0.004)
"""Of table 7: that of the other items, and one at which thirty steps hardly move a filter."""
FILES = files_of("cifar10")


def trained(context: Context, published: Published, eta: float = STEP_SIZES[0]) -> Result:
    """The network of that size on airplanes and automobiles, for 20 epochs."""
    config = replace(
        RESNET.config,
        dataset="cifar10",
        data=str(context.data) if context.data else None,
        filters=published.quick if context.quick else published.filters,
        eta=eta,
    )
    return context.lab.run(
        replace(RESNET, config=config),
        seeds=QUICK_SEEDS if context.quick else FULL_SEEDS,
        watch=context.watch,
    )


def cosines(result: Result, seed: int, block: int, step: int = -1) -> np.ndarray:
    """The matrix of cosines of a block's filters at one of the recorded steps."""
    there = result.dataset[f"cosines_{block}"].isel(seed=seed, step=step)
    return np.asarray(there.values, float)


def row(
    context: Context,
    item: str,
    quantity: str,
    values: Sequence[float],
    *,
    paper: float,
    network: Published,
    unit: str = "",
    resolve: float = RESOLVE,
    eta: float = STEP_SIZES[0],
    why: str = "",
) -> Row:
    """One number, once a seed; compared with the paper's at the paper's own size alone."""
    images = len(load("cifar10", "train", context.data).only(0, 1))
    m = network.quick if context.quick else network.filters
    here = f"ResNet({m}), {images} images"
    elsewhere = context.quick or images != IMAGES
    there = f"ResNet({network.filters}) on {IMAGES} images in the paper"
    return cell(
        context,
        item,
        quantity,
        values,
        Printed(value=paper, rounding=0.005 if unit else 0.00005, runs=1, resolve=resolve),
        status=Status.NOT_RUN if elsewhere else None,
        unit=unit,
        recipe=f"{here}, eta = {eta:g}",
        size=f"{context.size}, {images} images",
        command=f"featlearn reproduce {item} --size {context.size} --data DIR",
        why="; ".join(filter(None, (f"{here} here, {there}" if elsewhere else "", why))),
    )


def caption_rows(context: Context, item: str, result: Result, network: Published) -> list[Row]:
    """Green, red and between centres of each block, beside what the rule finds at the start."""
    rows = []
    for block, caption in zip(BLOCKS, network.captions, strict=True):
        found, before, counts = [], [], []
        for seed in range(len(result.seeds)):
            end = cosines(result, seed, block)
            found.append(_caption(end, opposite_groups(end)))
            start = cosines(result, seed, block, step=0)
            before.append(_caption(start, opposite_groups(start)))
            counts.append(gathering(factor(end), least=max(LEAST, 2 / len(end))).count)
        chance = np.mean(before, axis=0)
        count = np.mean(counts)
        for place, name in enumerate(("green", "red", "two centres")):
            rows.append(
                row(
                    context,
                    item,
                    f"block {block}, {name}",
                    [each[place] for each in found],
                    paper=caption[place],
                    network=network,
                    why=f"the same rule before training: {chance[place]:.3f}; clusters by the rule "
                    f"of figure 3: {count:.3g}",
                )
            )
    return rows


def gradient_rows(context: Context, item: str, network: Published, eta: float) -> list[Row]:
    """The six cosines of table 7, for the filter of block 4 nearest to the green centre."""
    names = ("v1, v", "v2, v", "v3, v", "v1, v2", "v1, v3", "v2, v3")
    result = trained(context, network, eta)
    chosen, medians = [], []
    for seed in range(len(result.seeds)):
        end = cosines(result, seed, 4)
        filter_ = nearest_to_centre(end, opposite_groups(end).green)
        early = result.dataset["early_4"].isel(seed=seed, step=-1).values
        chosen.append(early[filter_])
        medians.append(np.median(early, axis=0))
    return [
        row(
            context,
            item,
            f"cos({name})",
            [float(each[place]) for each in chosen],
            paper=network.gradients[place],
            network=network,
            eta=eta,
            why=f"median over all filters of block 4: {np.mean(medians, axis=0)[place]:.3f}; the "
            "step size decides, and the paper does not give its own",
        )
        for place, name in enumerate(names)
    ]


def accuracy_row(context: Context, item: str, result: Result, network: Published) -> Row:
    """Test accuracy at the end."""
    values = [100 * (value or 0.0) for value in result.summary["test_accuracy"].values]
    return row(
        context,
        item,
        "test accuracy",
        values,
        paper=network.accuracy,
        network=network,
        unit="%",
        resolve=3.0,
    )


def map_figures(
    context: Context, item: str, result: Result, network: Published
) -> tuple[Figure, ...]:
    """Filters of each block at the start, after 3 epochs and at the end; colours of the end."""
    m = network.quick if context.quick else network.filters
    steps = result.dataset["step"].values
    third = int(np.argmin(np.abs(steps - steps[-1] * 3 / 20)))
    moments = {"at the start": 0, "after 3 epochs": third, "after 20 epochs": len(steps) - 1}
    figures = []
    for block, letter in zip(BLOCKS, "abcd", strict=True):
        end = cosines(result, 0, block)
        groups = opposite_groups(end)
        shown = _shown(groups, len(end))
        frames = [
            Frame(label=label, series=_points(cosines(result, 0, block, at), groups, shown))
            for label, at in moments.items()
        ]
        panel = Panel(
            x=Axis(label="first coordinate"),
            y=Axis(label="second coordinate"),
            frames=tuple(frames),
            equal=True,
        )
        figures.append(
            Figure(
                id=f"{item}{letter}",
                title=f"Filters of ResNet({m}) in residual block {block}",
                caption="Airplanes and automobiles; filters by multidimensional scaling of "
                "1 - cosine. The two groups are the tenths of all filters at the ends of the axis "
                "along which they spread most after 20 epochs.",
                panels=(panel,),
            )
        )
    return tuple(figures)


def maps(context: Context, item: str, network: Published) -> Reproduction:
    """Train it; the cosines of the captions, and the maps."""
    result = trained(context, network)
    rows = [accuracy_row(context, item, result, network)]
    rows += caption_rows(context, item, result, network)
    return Reproduction(rows=tuple(rows), figures=map_figures(context, item, result, network))


def map_item(item: str, network: Published) -> Item:
    """Figure 20 or 21."""
    of = f"ResNet({network.filters})"
    return Item(
        id=item,
        title=f"Filters of {of} on CIFAR-10 airplane/automobile gather in groups",
        reproduce=lambda context: maps(context, item, network),
        references=("shi2022",),
        data=FILES,
        gpu=True,
    )


def factor(G: Float[np.ndarray, "filters filters"]) -> Float[np.ndarray, "filters filters"]:
    """Rows whose cosines are those of G."""
    values, vectors = np.linalg.eigh(np.asarray(G, float))
    return np.asarray(vectors * np.sqrt(np.clip(values, 0, None)))


def _caption(G: np.ndarray, groups: Groups) -> tuple[float, float, float]:
    green, red = (float(to_centre(G, each).mean()) for each in (groups.green, groups.red))
    return green, red, between_centres(G, groups)


def _shown(groups: Groups, filters: int) -> np.ndarray:
    """The members of both groups, and of the others as many as a map has room for."""
    chosen = np.concatenate([groups.green, groups.red])[:SHOWN]
    others = np.setdiff1d(np.arange(filters), chosen)
    return np.sort(np.concatenate([chosen, others[: SHOWN - len(chosen)]]))


def _points(G: np.ndarray, groups: Groups, shown: np.ndarray) -> tuple[Series, ...]:
    points = cosine_map(factor(G)[shown])
    others = np.setdiff1d(shown, np.concatenate([groups.green, groups.red]))
    parts = (
        ("one group", "positive", groups.green),
        ("the opposite group", "negative", groups.red),
        ("other filters", "orthogonal", others),
    )
    return tuple(
        Series(
            name=name,
            x=points[np.isin(shown, who), 0],
            y=points[np.isin(shown, who), 1],
            role=role,
            kind="points",
        )
        for name, role, who in parts
    )
