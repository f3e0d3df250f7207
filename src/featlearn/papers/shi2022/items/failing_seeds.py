"""Seeds on which the network stops below 100 % (tables 2, 4, 5): what is different in them?

Every seed is trained with the step sizes of the grid. Beside the accuracies stand, after the second
step: the share of neurons with a kink inside the data, and how many of the gaps between
neighbouring counts have a kink of some neuron. A seed fails
where the accuracy at a step size stays below 99 %.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from featlearn._streams import stream
from featlearn.figures.record import Axis, Figure, Panel, Series
from featlearn.papers.shi2022.early import early_weights
from featlearn.papers.shi2022.every_table import every_block, in_words
from featlearn.papers.shi2022.grid import StepSetting
from featlearn.papers.shi2022.kinks import along_counts, covered_gaps, kink_share
from featlearn.papers.shi2022.patterns import PatternTraining
from featlearn.papers.shi2022.table_cells import Block
from featlearn.papers.shi2022.validation import accuracies, with_setting
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import NOT_KNOWN, conclusion, measured
from featlearn.results.ledger import Row

ID = "shi2022.failing-seeds"
UNITS = (0.1, 0.3, 1.0, 3.0)
EARLY = 10.0
FAILS = 99.0
"""Per cent of test accuracy below which a seed has failed."""


@dataclass(frozen=True, kw_only=True)
class Neurons:
    """The neurons of a seed after the second step."""

    live: float
    """Share of neurons that are not 0."""
    kinks: float
    """Share of neurons with a kink inside the data."""
    gaps: int
    """Gaps between neighbouring counts that have a kink."""


def neurons_of(config: PatternTraining, seed: int) -> Neurons:
    """Follow the neurons of a seed to the end of the second step."""
    params = early_weights(config, seed)[2]
    points = config.experiment().law.sample(2000, key=stream(seed, "test"))
    return Neurons(
        live=float(np.mean(np.abs(np.asarray(params.w)).max(axis=1) > 0)),
        kinks=kink_share(config, params, np.asarray(points.x)),
        gaps=covered_gaps(along_counts(config, params)),
    )


def reproduce(context: Context) -> Reproduction:
    """Accuracies by seed and step size, and the neurons of failing and other seeds."""
    blocks = list(every_block("table-2", "table-4", "table-5"))
    blocks = blocks[-1:] if context.quick else blocks
    seeds = range(3) if context.quick else range(10)
    units = UNITS[1:3] if context.quick else UNITS
    rows: list[Row] = []
    panels = []
    for table, block in blocks:
        found = 100 * np.array(
            [
                accuracies(context, with_setting(block.config(), setting), seeds)
                for setting in (StepSetting(early=EARLY, unit=unit) for unit in units)
            ]
        )
        followed = context.lab.compute_each(
            neurons_of, [{"config": block.config(early=EARLY), "seed": seed} for seed in seeds]
        )
        rows += _rows(context, in_words(table, block), block, units, found, followed)
        panels.append(_panel(in_words(table, block), units, found))
    figure = Figure(
        id=ID,
        title="Every seed of the network against its later step size",
        caption="Test accuracy of each seed. A seed that stops below 100 % at one step size may "
        "reach it at another.",
        panels=tuple(panels),
    )
    return Reproduction(rows=tuple(rows), figures=(figure,))


def _rows(
    context: Context,
    name: str,
    block: Block,
    units: tuple[float, ...],
    found: np.ndarray,
    followed: list[Neurons],
) -> list[Row]:
    fails = np.nan_to_num(found) < FAILS
    rows = [
        measured(
            context,
            ID,
            f"{name}, seeds that fail with a later step of {unit:g}",
            float(each.sum()),
            recipe="grid",
            why=f"of {fails.shape[1]}; below {FAILS:g} % test accuracy; seeds {_seeds(each)}",
        )
        for unit, each in zip(units, fails, strict=True)
    ]
    ever = fails.any(axis=0)
    for word, mine in (("that fail with some step", ever), ("that never fail", ~ever)):
        chosen = [each for each, use in zip(followed, mine, strict=True) if use]
        if chosen:
            rows.append(
                measured(
                    context,
                    ID,
                    f"{name}, share of neurons with a kink inside the data, seeds {word}",
                    [each.kinks for each in chosen],
                    recipe="grid",
                    why=f"{len(chosen)} seeds; gaps between counts with a kink: "
                    f"{_numbers(each.gaps for each in chosen)} of {block.config().k}; live neurons "
                    f"{np.mean([each.live for each in chosen]):.2f}",
                )
            )
    best = np.nan_to_num(found).max(axis=0)
    rows.append(
        conclusion(
            context,
            ID,
            f"{name}, test accuracy of the worst seed at its best step",
            float(best.min()),
            "100 % in all five runs",
            bool((best >= FAILS).all()),
            unit="%",
            recipe="grid",
            why=f"{int((ever & (best >= FAILS)).sum())} of {int(ever.sum())} failing seeds are "
            "mended by another step size of the grid",
            reason=NOT_KNOWN,
        )
    )
    return rows


def _seeds(mask: np.ndarray) -> str:
    return ", ".join(map(str, np.flatnonzero(mask))) or "none"


def _numbers(values: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(values)))


def _panel(name: str, units: tuple[float, ...], found: np.ndarray) -> Panel:
    return Panel(
        x=Axis(label="later step size", scale="log"),
        y=Axis(label="test accuracy (%)", limits=(50.0, 101.0)),
        series=tuple(
            Series(
                name="a seed" if place == 0 else "",
                x=np.array(units),
                y=each,
                role="network",
            )
            for place, each in enumerate(found.T)
        ),
        title=name,
    )


ITEM = Item(
    id=ID,
    title="Seeds that fail in tables 2, 4 and 5, and whether another step size mends them",
    reproduce=reproduce,
    references=("shi2022",),
)
