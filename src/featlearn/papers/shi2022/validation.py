"""Choose the step sizes of a method on seeds and points that are not judged.

For every setting of `grid` the method is trained on the validation seeds, each of which has its own
start, sample and held-out points; the setting with the largest mean held-out accuracy is taken, the
first of equals. Nothing here knows a number of the paper. With orthonormal patterns the outputs of
all methods have a law that does not depend on d (`shi2022.md`, coordinates instead of d), so that
the tables with other d share the choice of d = 500.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from featlearn._check import require
from featlearn.figures.record import Axis, Figure, Panel, Series
from featlearn.papers.shi2022.grid import StepSetting, settings, validation_seeds
from featlearn.papers.shi2022.patterns import INTERVAL, PARITY, PatternTraining
from featlearn.papers.shi2022.recipe import natural_eta
from featlearn.reproduction.item import Context
from featlearn.reproduction.rows import measured
from featlearn.results.ledger import Row

VALIDATION_RECORDS = 2
"""How many steps are recorded: only the last one counts."""


@dataclass(frozen=True, kw_only=True)
class TriedSetting:
    """A setting with its held-out accuracies, one per validation seed; NaN if it diverged."""

    setting: StepSetting
    accuracies: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean held-out accuracy; a setting that diverged has none, and counts as 0."""
        return float(np.mean(np.nan_to_num(self.accuracies)))


@dataclass(frozen=True, kw_only=True)
class Choice:
    """The chosen setting of a method, and all that were tried."""

    path: tuple[TriedSetting, ...]
    seeds: tuple[int, ...]

    @property
    def best(self) -> TriedSetting:
        """The setting with the largest mean accuracy, the first of equals."""
        return max(self.path, key=lambda tried: tried.mean)

    @property
    def setting(self) -> StepSetting:
        """The setting that was chosen."""
        return self.best.setting

    @property
    def sentence(self) -> str:
        """What was chosen among what, in words."""
        best, first, last = self.best, self.seeds[0], self.seeds[-1]
        return (
            f"early {best.setting.early:g}, step {best.setting.unit:g} units, chosen among "
            f"{len(self.path)} settings by {100 * best.mean:.1f} % on seeds {first}-{last}"
        )

    @property
    def listed(self) -> str:
        """The whole path: every setting with its mean accuracy."""
        return "; ".join(
            f"({tried.setting.early:g}, {tried.setting.unit:g}) {100 * tried.mean:.1f} %"
            for tried in self.path
        )


def require_apart(chosen_on: Iterable[int], judged_on: Iterable[int]) -> None:
    """Refuse seeds on which settings are chosen and judged: their points would be the same ones."""
    both = sorted(set(chosen_on) & set(judged_on))
    require(not both, "validated recipe", "validation seeds that are not judged", both)


def with_setting(config: PatternTraining, setting: StepSetting) -> PatternTraining:
    """The configuration with the step sizes of a setting."""
    eta = setting.unit * natural_eta(config, setting.early)
    return replace(config, recipe="practical", early=setting.early, eta=eta)


def choose(context: Context, config: PatternTraining, *, judged_on: Sequence[int] = ()) -> Choice:
    """Train every setting of the grid for this configuration's method, and choose one.

    Args:
        context: has the size and the lab, in whose store every training is kept.
        config: the method and the data; its own step sizes are not used.
        judged_on: the seeds on which the choice will be judged, which must be others.
    """
    seeds = validation_seeds(quick=context.quick)
    require_apart(seeds, judged_on)
    return Choice(
        path=tuple(
            TriedSetting(
                setting=setting,
                accuracies=accuracies(context, with_setting(shared(config), setting), seeds),
            )
            for setting in settings(config.method, config.structure, quick=context.quick)
        ),
        seeds=seeds,
    )


def accuracies(
    context: Context, config: PatternTraining, seeds: Sequence[int], quantity: str = "test_accuracy"
) -> tuple[float, ...]:
    """The accuracy of a configuration at its last step, per seed; NaN where it diverged."""
    named = PARITY if config.p_a is None else INTERVAL
    named = replace(named, config=replace(config, records=VALIDATION_RECORDS))
    found = context.lab.run(named, seeds=tuple(seeds), watch=context.watch).summary
    values = found[quantity].values if quantity in found else (None,) * len(seeds)
    return tuple(float("nan") if value is None else float(value) for value in values)


def shared(config: PatternTraining) -> PatternTraining:
    """The configuration whose validation it shares: the same law of outputs at d = 500."""
    alike = not config.inseparable and config.dictionary == PARITY.config.dictionary
    return replace(config, d=PARITY.config.d) if alike else config


def choice_row(context: Context, item: str, label: str, choice: Choice) -> Row:
    """The chosen step size as a row, with the whole path of validation."""
    return measured(
        context,
        item,
        f"{label} validated step, in units",
        float(choice.setting.unit),
        recipe="validated",
        why=f"{choice.sentence}; (early, units): {choice.listed}",
    )


def path_figure(identity: str, label: str, choices: dict[str, Choice]) -> Figure:
    """Held-out accuracy on the validation seeds against the step size, for every method."""
    roles = ("network", "ntk", "random-features", "signal", "opposite", "negative")
    panels = []
    for early in sorted({t.setting.early for c in choices.values() for t in c.path}):
        series = []
        for (name, choice), role in zip(choices.items(), roles * 2, strict=False):
            mine = [tried for tried in choice.path if tried.setting.early == early]
            if mine:
                each = 100 * np.nan_to_num(np.array([tried.accuracies for tried in mine]))
                series.append(
                    Series(
                        name=name,
                        x=np.array([tried.setting.unit for tried in mine]),
                        y=each.mean(axis=1),
                        low=each.min(axis=1),
                        high=each.max(axis=1),
                        role=role,
                    )
                )
        panels.append(
            Panel(
                x=Axis(label="later step size, in the method's unit", scale="log"),
                y=Axis(label="held-out accuracy (%)", limits=(0.0, 102.0)),
                series=tuple(series),
                title=f"{label} eta_{{2}} and sd(b) times {early:g}".strip(),
            )
        )
    seeds = next(iter(choices.values())).seeds
    return Figure(
        id=identity,
        title="How the step sizes were chosen",
        caption=f"Held-out accuracy on the validation seeds {seeds[0]} to {seeds[-1]}, mean and "
        "range; the best mean is taken for the judged seeds. A setting that diverged counts as 0.",
        panels=tuple(panels),
    )
