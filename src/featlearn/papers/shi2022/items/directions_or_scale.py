"""Does the second step clean the directions, or supply the scale? (section 4.2, lemma 20)

The paper: the second step improves the signal-to-noise ratio of the directions. It also makes |w.x|
as large as |b|, where the first leaves it at 1e-8 of that, so that no neuron has a kink inside the
data. Here the two are separated, at table 1's setting:

    2 x 2       directions of step 1 or 2, with the norms and biases of step 1 or 2
    sweep       directions of step 1, norms of step 2 times c
    control     (c w, c b) of step 2: neither the directions nor the ratio change

Each is read out by a solver on standardised features and by SGD on the features as they are.
"""

from dataclasses import dataclass, replace
from typing import Any

import jax.numpy as jnp
import numpy as np

from featlearn._streams import stream
from featlearn.figures.record import Axis, Figure, Panel
from featlearn.figures.seeds import over_seeds
from featlearn.networks import Params
from featlearn.papers.shi2022.convex import read_out
from featlearn.papers.shi2022.early import early_weights
from featlearn.papers.shi2022.kinks import kink_share
from featlearn.papers.shi2022.patterns import PARITY, PatternTraining
from featlearn.papers.shi2022.read_out import sgd_read_out
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import conclusion, measured
from featlearn.results.ledger import Row, ours, side_of

ID = "shi2022.directions-or-scale"
SWEEP = (1e-6, 1e-3, 1e-2, 0.1, 1.0, 10.0)
CONTROL = (0.3, 3.0)
SWEPT = "directions 1, ratio 2 times {:g}"
QUICK: dict[str, Any] = {"samples": 10_000, "width": 60, "dictionary": 40, "d": 100}
BASE = PARITY.config
CLEAR = 5.0
"""Points of accuracy below which a gain is not called one."""


@dataclass(frozen=True, kw_only=True)
class Neurons:
    """Which neurons are read out."""

    directions: int
    """The step whose directions they have."""
    ratio: int
    """The step whose norms and biases they have."""
    norm: float = 1.0
    """What their norms are multiplied by."""
    bias: float = 1.0
    """What their biases are multiplied by."""


@dataclass(frozen=True, kw_only=True)
class ReadOuts:
    """What is read out of some neurons."""

    solver: float
    sgd: float
    kinks: float
    """Share of neurons with a kink inside the data."""


def mixed(steps: list[Params], neurons: Neurons) -> Params:
    """Directions of one step with norms and biases of another; a neuron that is 0 stays so."""
    turned, sized = steps[neurons.directions], steps[neurons.ratio]
    w, v = (np.asarray(each.w, np.float64) for each in (turned, sized))
    own = np.linalg.norm(w, axis=1, keepdims=True)
    unit = w / np.where(own == 0, 1.0, own)
    norms = np.linalg.norm(v, axis=1, keepdims=True)
    return Params(
        w=jnp.asarray(neurons.norm * norms * unit, jnp.float32),
        a=sized.a,
        b=jnp.asarray(neurons.bias * np.asarray(sized.b, np.float64), jnp.float32),
    )


def read_neurons(config: PatternTraining, neurons: Neurons, seed: int) -> ReadOuts:
    """Both read-outs of these neurons, and the share of kinks inside the data."""
    params = mixed(early_weights(config, seed), neurons)
    points = config.experiment().law.sample(2000, key=stream(seed, "test"))
    return ReadOuts(
        solver=100 * read_out(config, params, seed)["test_accuracy"],
        sgd=100 * sgd_read_out(config, params, seed),
        kinks=kink_share(config, params, np.asarray(points.x)),
    )


def reproduce(context: Context) -> Reproduction:
    """The 2 x 2, the sweep of the ratio and the control."""
    sweep = SWEEP[3:4] if context.quick else SWEEP
    cases = {
        f"directions {i}, ratio {j}": Neurons(directions=i, ratio=j) for i in (1, 2) for j in (1, 2)
    }
    cases |= {SWEPT.format(c): Neurons(directions=1, ratio=2, norm=c) for c in sweep}
    cases |= {
        f"control, w and b times {c:g}": Neurons(directions=2, ratio=2, norm=c, bias=c)
        for c in (CONTROL[:1] if context.quick else CONTROL)
    }
    seeds = range(2 if context.quick else 5)
    config = replace(BASE, **QUICK) if context.quick else BASE
    found = {
        name: context.lab.compute_each(
            read_neurons, [{"config": config, "neurons": case, "seed": seed} for seed in seeds]
        )
        for name, case in cases.items()
    }
    rows: list[Row] = []
    for name, each in found.items():
        inside = np.mean([one.kinks for one in each])
        for reader in ("solver", "sgd"):
            rows.append(
                measured(
                    context,
                    ID,
                    f"{name}, test accuracy by {reader}",
                    [getattr(one, reader) for one in each],
                    unit="%",
                    recipe=reader,
                    why=f"{100 * inside:.0f} % of the neurons have a kink inside the data",
                )
            )
    rows += _conclusions(context, found)
    return Reproduction(rows=tuple(rows), figures=(_figure(sweep, found),))


def _conclusions(context: Context, found: dict[str, list[ReadOuts]]) -> list[Row]:
    """What better directions gain at step 2's ratio, and what the ratio gains with step 1's."""
    rows = []
    for reader in ("solver", "sgd"):
        at = {
            (i, j): np.array([getattr(one, reader) for one in found[f"directions {i}, ratio {j}"]])
            for i in (1, 2)
            for j in (1, 2)
        }
        for name, gain, claim in (
            ("better directions gain at step 2's ratio", at[2, 2] - at[1, 2], True),
            ("step 2's ratio gains with step 1's directions", at[1, 2] - at[1, 1], False),
        ):
            judged = side_of(ours(gain), CLEAR, above=claim)
            rows.append(
                conclusion(
                    context,
                    ID,
                    f"what {name}, by {reader}",
                    gain,
                    "the second step helps by its directions" if claim else "it is not the scale",
                    judged,
                    unit="points",
                    recipe=reader,
                    why=f"more than {CLEAR:g} points are called a gain",
                    reason=f"see {ID}",
                )
            )
    return rows


def _figure(sweep: tuple[float, ...], found: dict[str, list[ReadOuts]]) -> Figure:
    swept = [found[SWEPT.format(c)] for c in sweep]

    def values(name: str) -> np.ndarray:
        return np.array([[getattr(one, name) for one in each] for each in swept]).T

    return Figure(
        id=ID,
        title="One step's directions with another scale",
        caption="Test accuracy of two read-outs of step 1's directions with step 2's norms times "
        "c, and the share of neurons with a kink inside the data; mean and range over seeds.",
        panels=(
            Panel(
                x=Axis(label="norm over step 2's", scale="log"),
                y=Axis(label="per cent", limits=(0.0, 102.0)),
                series=(
                    over_seeds("solver", np.array(sweep), values("solver"), role="test"),
                    over_seeds("SGD", np.array(sweep), values("sgd"), role="train"),
                    over_seeds(
                        "kinks inside", np.array(sweep), 100 * values("kinks"), role="plain"
                    ),
                ),
            ),
        ),
    )


ITEM = Item(
    id=ID,
    title="The second step: cleaner directions, or scale?",
    reproduce=reproduce,
    references=("shi2022",),
)
