r"""Why whole clusters are missed: counts of points, and counts of flips.

While g_i is 1/2 every neuron is by itself, and what it does is decided by counts. Let nu be a
centre, s_nu the share of neurons of the right sign with D_nu,j > 0 at the start.

    growth   such a neuron is soon on for all clean points of nu and keeps those of -nu it had,
             about half: <w_j, nu> gains c_nu - c_-nu/2 a step, in units of alpha ||mu||^2/(2 n
             sqrt m). The neurons with D_nu,j < 0 turn to -nu.
    pull     a neuron of the wrong sign is switched off by every clean point it meets, by p >> n
             ||mu||^2, and stays so for about n steps; but the flipped points have *its* sign and
             hold it. It gains n_nu - n_-nu a step on nu.

So y f(nu) grows like s_nu (c_nu - c_-nu/2) - max(n_nu - n_-nu, 0) a step. E[D_nu,j | X] is half the
difference of the counts of clean less flipped points of nu and -nu, in standard deviations of D
nearly a standard normal over samples: so s_nu is nearly *uniform* on (0, 1), and the pull is of
order sqrt(eta n) against n/8. A cluster is missed with a probability of order sqrt(eta/n), which no
C changes and more steps do not mend. What is left besides, at few steps and eta = 0, is a constant
that the wrong neurons gain in the first steps, and that growth must overtake before sqrt n.

Shown: in which clusters of which runs the prediction is right; the same without flips; longer;
wider.
"""

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int

from featlearn._config import fields
from featlearn.figures.record import Axis, Figure, Panel, Series
from featlearn.papers.xu2023.setting import REFERENCES, AssumptionsMet
from featlearn.papers.xu2023.watched import LABELS, OPPOSITE, Watched, watch
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import measured
from featlearn.results.ledger import Row


@dataclass(frozen=True, kw_only=True)
class Study:
    """One variant of the runs."""

    name: str
    config: AssumptionsMet
    quick: int
    full: int


def studies() -> tuple[Study, ...]:
    """The runs with n = 100 and 400, without flips, longer, wider, and with a large C."""
    few, many = AssumptionsMet(samples=100), AssumptionsMet(samples=400)
    longer = 6 * math.isqrt(100)
    return (
        Study(name="n = 100", config=few, quick=20, full=100),
        Study(
            name="n = 100, no flips",
            config=AssumptionsMet(samples=100, flips=0.0),
            quick=20,
            full=100,
        ),
        Study(
            name="n = 100, six times as long",
            config=AssumptionsMet(samples=100, steps=longer),
            quick=0,
            full=60,
        ),
        Study(
            name="n = 100, no flips, six times as long",
            config=AssumptionsMet(samples=100, flips=0.0, steps=longer),
            quick=0,
            full=60,
        ),
        Study(
            name="n = 100, width 800",
            config=AssumptionsMet(samples=100, width=800),
            quick=0,
            full=60,
        ),
        Study(name="n = 100, C = 150", config=AssumptionsMet(samples=100, C=150), quick=0, full=60),
        Study(name="n = 400", config=many, quick=0, full=60),
    )


def share(run: Watched) -> Float[np.ndarray, " clusters"]:
    """s_nu: of the neurons of the right sign, those with D_nu,j > 0."""
    right = run.a == LABELS[:, None]
    found: np.ndarray = ((run.D > 0) & right).sum(axis=1) / right.sum(axis=1)
    return found


def growth(run: Watched) -> Float[np.ndarray, " clusters"]:
    """s_nu (c_nu - c_-nu/2)."""
    return share(run) * (run.clean - run.clean[OPPOSITE] / 2)


def pull(run: Watched) -> Int[np.ndarray, " clusters"]:
    """max(n_nu - n_-nu, 0)."""
    found: np.ndarray = np.maximum(run.flipped - run.flipped[OPPOSITE], 0)
    return found


def predicted(run: Watched) -> Bool[np.ndarray, " clusters"]:
    """Whether a cluster is missed however long one trains."""
    return growth(run) < pull(run)


def reproduce(context: Context) -> Reproduction:
    """Train every variant, and compare what is missed with what is predicted."""
    rows: list[Row] = []
    shown: list[Watched] = []
    for study in studies():
        seeds = study.quick if context.quick else study.full
        setting = study.config.setting()
        runs = context.lab.compute_each(
            watch, [{"config": setting, "seed": s} for s in range(seeds)]
        )
        if not runs:
            continue
        shown = shown or runs
        rows += told(context, study.name, runs)
    return Reproduction(
        rows=tuple(rows), figures=(drawing(shown),), config=fields(studies()[0].config)
    )


def told(context: Context, name: str, runs: list[Watched]) -> list[Row]:
    """How many runs miss a cluster, and how the prediction fares over all clusters."""
    missed: np.ndarray = np.array([run.missed[-1] for run in runs])
    some: np.ndarray = np.asarray(missed.any(axis=1))
    claim = np.array([predicted(run) for run in runs])
    s = np.array([share(run) for run in runs])
    both, only = int((missed & claim).sum()), int((claim & ~missed).sum())
    rest = s[missed & ~claim]
    few = f", their s at most {rest.max():.2f}" if len(rest) else ""
    imbalance = np.abs(np.array([run.imbalance for run in runs]))
    even = imbalance.max(axis=1) < 1
    least = f"{100 * some[even].mean():.0f}" if even.any() else "none"

    def line(quantity: str, values: np.ndarray, why: str) -> Row:
        return measured(context, ITEM.id, quantity, 100.0 * values, why=why, unit="%", recipe=name)

    return [
        line(
            "runs that miss a cluster",
            some,
            f"{least} % of the {int(even.sum())} runs whose counts are within one standard "
            "deviation of balance",
        ),
        line(
            "missed clusters that counts of points and flips predict",
            claim[missed] if missed.any() else np.array([np.nan]),
            f"{both} predicted and missed, {only} predicted and learned, {len(rest)} missed "
            f"without being predicted{few}",
        ),
    ]


def drawing(runs: list[Watched]) -> Figure:
    """Growth against pull, a point a cluster, by whether it is missed."""
    missed = np.concatenate([run.missed[-1] for run in runs])
    x = np.concatenate([pull(run) for run in runs]).astype(float)
    y = np.concatenate([growth(run) for run in runs])
    jitter = (np.arange(len(x)) % 9 - 4) / 20
    line = np.array([0.0, x.max() + 0.5])
    return Figure(
        id="xu2023-missed-clusters",
        title="A cluster is missed where flips outweigh the neurons that turn to it",
        caption=f"A point a cluster, {len(runs)} runs at n = {runs[0].config.samples}, C = 1. "
        "Growth: the share of right neurons that begin on this side times its clean points less "
        "half of those opposite; pull: flipped points of this cluster less those of the opposite "
        "one (moved sideways a little). Below the line the counts say that it is missed.",
        panels=(
            Panel(
                x=Axis(label="pull of flipped points"),
                y=Axis(label="growth"),
                series=(
                    Series(
                        name="learned",
                        x=(x + jitter)[~missed],
                        y=y[~missed],
                        role="holds",
                        kind="points",
                    ),
                    Series(
                        name="missed",
                        x=(x + jitter)[missed],
                        y=y[missed],
                        role="fails",
                        kind="points",
                    ),
                    Series(name="growth = pull", x=line, y=line, role="reference"),
                ),
            ),
        ),
    )


ITEM = Item(
    id="xu2023.missed-clusters",
    title="Why whole clusters are missed: counts of points and of flips",
    reproduce=reproduce,
    references=REFERENCES,
)
