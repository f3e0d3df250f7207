"""Figures 3 and 17 to 19 as items: how many clusters the neurons form on a set of images.

Clusters are counted by the rule of `measurements.gathering`, a tenth of the way into training, when
features have emerged, and at its end. Two starts: "small" (omega = .001), and "standard", where
omega = sqrt(2/d). Without files a stand-in is run where there is one (digits for MNIST), and it
says so.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import numpy as np

from featlearn.distributions.images import SOURCES, checksum_of, find, folder_of, load
from featlearn.experiments.run import Result
from featlearn.figures.neuron_map import gathering_panel, weights_panel
from featlearn.figures.record import Axis, Figure, Mark, Panel
from featlearn.figures.seeds import over_seeds
from featlearn.measurements import gathering
from featlearn.papers.shi2022.images import IMAGES, ImageSet
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import cell, measured
from featlearn.results.ledger import Printed, Row, Status

STARTS = {"small": 0.001, "standard": None}
OFFICIAL = {"mnist": 12_665, "cifar10": 10_000, "svhn": 18_809}
"""Training images of classes 0 and 1 in the official files."""


S = TypeVar("S", bound=str)


@dataclass(frozen=True, kw_only=True)
class Claim:
    """What the paper says of one set."""

    dataset: ImageSet
    clusters: int
    stand_in: ImageSet | None = None
    """The set that is run where there are no files."""


def files_of(dataset: str, stand_in: str | None = None) -> Callable[[Path | None], str]:
    """What an item asks of a folder: the checksum of the set that it would run."""

    def look(data: Path | None) -> str:
        chosen = set_in(dataset, stand_in, data)
        if chosen == "digits":
            return "digits"
        for split in ("train", "test"):
            load(chosen, split, data)
        return checksum_of(chosen, data)

    return look


def set_in(dataset: S, stand_in: S | None, data: Path | None) -> S:
    """The set to run: a folder that is named must have it, else the stand-in will do."""
    if stand_in and data is None and find(dataset) is None:
        return stand_in
    folder_of(dataset, data)
    return dataset


def image_item(identity: str, title: str, claim: Claim) -> Item:
    """The item of one figure."""
    return Item(
        id=identity,
        title=title,
        reproduce=lambda context: _reproduce(context, identity, claim),
        references=("shi2022",),
        data=files_of(claim.dataset, claim.stand_in),
    )


def _reproduce(context: Context, identity: str, claim: Claim) -> Reproduction:
    dataset = set_in(claim.dataset, claim.stand_in, context.data)
    data = None if context.data is None else str(context.data)
    images = load(dataset, "train", data).only(*IMAGES.config.classes)
    rows: list[Row] = []
    figures: list[Figure] = []
    for start, omega in STARTS.items():
        config = replace(IMAGES.config, dataset=dataset, data=data, omega=omega)
        result = context.lab.run(
            replace(IMAGES, config=config),
            seeds=5 if start == "small" or not context.quick else 2,
            watch=context.watch,
        )
        rows += _rows(context, identity, claim, dataset, len(images), start, result)
        if start == "small":
            figures += _figures(identity, dataset, images.shape, result)
    return Reproduction(
        rows=tuple(rows),
        figures=tuple(figures),
        notes=(f"{len(images)} training images of classes 0 and 1 of {SOURCES[dataset].title}.",),
    )


def _rows(
    context: Context,
    identity: str,
    claim: Claim,
    dataset: str,
    images: int,
    start: str,
    result: Result,
) -> list[Row]:
    whole = images == OFFICIAL.get(dataset)
    named = {"early": f"after {result.config.early} steps", "end": f"after {result.config.steps}"}
    recipe = f"{start} start, {dataset}, {images} images"
    made_of = f"{context.size}, {images} images"
    rows = []
    for when, told in named.items():
        counts, share = result.summary[f"clusters_{when}"], result.summary[f"gathered_{when}"]
        each = ", ".join(f"{count:.0f}" for count in counts.values if count is not None)
        why = f"each seed: {each}; {100 * (share.mean or 0):.0f} % of the neurons are in a cluster"
        if dataset != claim.dataset:
            why = f"{SOURCES[dataset].title} in the place of its set; {why}"
        elif not whole:
            why = f"on {images} of the {OFFICIAL[claim.dataset]} official images; {why}"
        rows.append(
            cell(
                context,
                identity,
                f"clusters, {told}",
                counts,
                Printed(value=float(claim.clusters), sd=0.0, resolve=0.5),
                status=None if dataset == claim.dataset and whole else Status.NOT_RUN,
                why=why,
                judged=start == "small",
                recipe=recipe,
                size=made_of,
            )
        )
    accuracy = [None if v is None else 100 * v for v in result.summary["test_accuracy"].values]
    name = "test accuracy at the end"
    why = "the paper gives none"
    rows.append(
        measured(context, identity, name, accuracy, unit="%", why=why, recipe=recipe, size=made_of)
    )
    return rows


def _figures(
    identity: str, dataset: str, shape: tuple[int, int, int], result: Result
) -> list[Figure]:
    early, last = result.config.early, result.config.steps
    weights = result.dataset["weights_w"]
    first = weights.isel(seed=0)
    known = [int(step) for step in first["step"].values]
    found = gathering(first.sel(step=early).values)
    shown = [0, min(known[1:], key=lambda t: abs(t - early // 10)), early, last]
    after = {f"step {t}": np.asarray(first.sel(step=t).values, float) for t in shown}
    counts = np.array([[gathering(w).count for w in each] for each in weights.values], float)
    steps = 1.0 + np.array(known, float)
    over_time = Panel(
        x=Axis(label="1 + step", scale="log"),
        y=Axis(label="clusters by the rule"),
        series=(over_seeds("mean and range over seeds", steps, counts, role="network"),),
        marks=(Mark(label="early", at=1.0 + early),),
    )
    panels = [over_time]
    if found.count:
        panels.append(weights_panel(found.centres, shape, "mean weights of each cluster"))
    title = f"Neurons gather into clusters: {SOURCES[dataset].title}"
    rule = "A cluster: average linkage up to a mean cosine of 1/2, at least a tenth of the neurons."
    return [
        Figure(
            id=identity,
            title=title,
            caption="Neurons by multidimensional scaling of 1 - cosine, coloured by their cluster "
            f"after {early} steps. {rule}",
            panels=(gathering_panel(after, found),),
        ),
        Figure(
            id=f"{identity}-weights",
            title=title,
            caption="Clusters over time, and the mean direction of each cluster after "
            f"{early} steps as an image. {rule}",
            panels=tuple(panels),
        ),
    ]
