"""Which d has table 4? By RF's largest cosine and by One Step's, calibrated where d is known.

The paper says that table 4 keeps the setting of table 1, d = 500. Two columns of it tell d: the
largest cosine of random weights, and that of a first step with a rounding residue in R^d. The
tables whose d is printed say how well each column tells it.
"""

import numpy as np

from featlearn.figures.record import Axis, Figure, Panel, Series
from featlearn.papers.shi2022.dimension import (
    DimensionEstimate,
    calibrated,
    dimension_of_random,
    squared_tangent,
)
from featlearn.papers.shi2022.early import early_weights
from featlearn.papers.shi2022.every_table import every_block, in_words
from featlearn.papers.shi2022.patterns import PatternTraining
from featlearn.papers.shi2022.table_cells import Block
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import conclusion, measured
from featlearn.results.ledger import Row, Status

ID = "shi2022.table-4-dimension"
PRINTED_D, LEAST_D = 500, 100
"""What is printed, and the least d that has 100 orthonormal patterns."""
WITNESSES = ("RF", "One Step")


def step_norm(config: PatternTraining, seed: int) -> float:
    """The median over neurons of |w| after the exact first step, over eta1: the gradient's size."""
    w = np.asarray(early_weights(config, seed)[1].w, np.float64)
    return float(np.median(np.linalg.norm(w, axis=1)) / config.step_sizes().eta1)


def raw_estimate(witness: str, block: Block, norm: float) -> float:
    """The d that a witness gives for a block, up to one factor that calibration finds.

    One Step's residue is measured against the step: with the same eta1, tan² = kappa d / norm².
    """
    cosine = block.paper(witness, "cosine")
    if witness == "RF":
        return dimension_of_random(cosine, block.config().width // 2)
    return squared_tangent(cosine) * norm**2


def reproduce(context: Context) -> Reproduction:
    """Both witnesses for both blocks of table 4."""
    rows: list[Row] = []
    panels = []
    norms = {in_words(table, block): _norm(context, block) for table, block in every_block()}
    for witness in WITNESSES:
        known = _known(witness, norms)
        for name, (raw, d) in known.items():
            others = [pair for key, pair in known.items() if key != name]
            found = calibrated([raw], others)
            rows.append(
                measured(
                    context,
                    ID,
                    f"{name}, d by {witness}'s cosine",
                    found.d,
                    recipe=witness,
                    why=f"true d {d:g}; 99 % interval {found.low:.0f} to {found.high:.0f} from the "
                    "other tables whose d is known",
                )
            )
        raws = {
            in_words(table, block): raw_estimate(witness, block, norms[in_words(table, block)])
            for table, block in every_block("table-4")
        }
        each = {name: [raw] for name, raw in raws.items()} | {"both": list(raws.values())}
        estimates = {name: calibrated(raw, list(known.values())) for name, raw in each.items()}
        for name, found in estimates.items():
            words = "table 4, both blocks" if name == "both" else name
            rows.append(_row(context, words, witness, found))
        panels.append(_panel(witness, known, estimates))
    figure = Figure(
        id=ID,
        title="The dimension that the cosines of table 4 speak of",
        caption="Estimated d of the tables whose d is printed (uncalibrated, up to one factor), "
        "and of table 4 with its 99 % interval. Table 4 is said to have d = 500.",
        panels=tuple(panels),
    )
    return Reproduction(rows=tuple(rows), figures=(figure,))


def _norm(context: Context, block: Block) -> float:
    fewer = {"samples": 10_000} if context.quick else {}
    cases = [{"config": block.config(**fewer), "seed": seed} for seed in range(2)]
    return float(np.mean(context.lab.compute_each(step_norm, cases)))


def _known(witness: str, norms: dict[str, float]) -> dict[str, tuple[float, float]]:
    """Block -> (raw estimate, true d), where d is printed and the witness works alike."""
    found = {}
    for table, block in every_block("table-1", "table-2", "table-3", "table-5"):
        name, config = in_words(table, block), block.config()
        # One Step's eta1 is unknown and may depend on the width: only equal widths are compared.
        if witness == "RF" or config.width == 600:
            found[name] = (raw_estimate(witness, block, norms[name]), float(config.d))
    return found


def judged(found: DimensionEstimate) -> Status:
    """Whether the interval has the printed d; one cannot tell if it has the least d as well."""
    if not found.has(PRINTED_D):
        return Status.DIFFERS
    return Status.CANNOT_TELL if found.has(LEAST_D) else Status.AGREES


def _row(context: Context, name: str, witness: str, found: DimensionEstimate) -> Row:
    return conclusion(
        context,
        ID,
        f"{name}, d by {witness}'s cosine",
        found.d,
        f"d = {PRINTED_D}",
        judged(found),
        recipe=witness,
        why=f"99 % interval {found.low:.0f} to {found.high:.0f}, calibrated on the tables whose d "
        "is known",
        reason=f"see {ID}",
    )


def _panel(
    witness: str,
    known: dict[str, tuple[float, float]],
    estimates: dict[str, DimensionEstimate],
) -> Panel:
    factor = float(np.exp(np.mean([np.log(raw / d) for raw, d in known.values()])))
    true = np.array([d for _, d in known.values()])
    raw = np.array([raw / factor for raw, _ in known.values()])
    mine = list(estimates.values())
    here = np.full(len(mine), float(PRINTED_D))
    line = np.array([100.0, 2000.0])
    return Panel(
        x=Axis(label="printed d", scale="log"),
        y=Axis(label="d by the cosine", scale="log"),
        series=(
            Series(name="equal", x=line, y=line, role="reference"),
            Series(name="d known", x=true, y=raw, role="plain", kind="points"),
            Series(
                name="table 4",
                x=here,
                y=np.array([each.d for each in mine]),
                low=np.array([each.low for each in mine]),
                high=np.array([each.high for each in mine]),
                role="signal",
                kind="points",
            ),
        ),
        title=witness,
    )


ITEM = Item(
    id=ID,
    title="The dimension of table 4, estimated from its cosines",
    reproduce=reproduce,
    references=("shi2022",),
)
