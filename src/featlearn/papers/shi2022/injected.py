"""What came out of algorithm 1 as ledger rows and figures (figures 4 and 22 to 26)."""

import numpy as np
from jaxtyping import Float

from featlearn.figures.record import Axis, Figure, Mark, Panel
from featlearn.figures.seeds import over_seeds
from featlearn.learners.teacher_student import PARTS, SizeSweep, Study
from featlearn.reproduction.rows import RowFields, conclusion, measured
from featlearn.results.ledger import Ours, Row, Status, ours, side_of

ROLES = {"real": "network", "injected": "ntk", "whole": "random-features", "original": "paper"}


TEACHER_LEAST = 60.0
"""The mean test accuracy, in per cent, from which a teacher's labels are taken for labels."""
TEACHER_MOST = 90.0
"""The largest share of U, in per cent, that may have one label."""


def weak_teacher(study: Study) -> str:
    """Why the teachers' labels judge nothing; empty if they are good enough."""
    right = 100 * float(np.mean([fit.accuracy["test"][-1] for fit in study.teachers]))
    same = 100 * float(np.mean(study.balance))
    if right < TEACHER_LEAST:
        return f"the teachers have {right:.0f} % test accuracy, {TEACHER_LEAST:g} are asked"
    if same > TEACHER_MOST:
        return f"the teachers give {same:.0f} % of U one label, at most {TEACHER_MOST:g} are asked"
    return ""


def study_rows(
    study: Study,
    *,
    item: str,
    label: str,
    recipe: str,
    size: str,
    clear: bool,
    run: bool = True,
    why: str = "",
) -> list[Row]:
    """The accuracies on the parts, and whether the real part is learned better and faster.

    Args:
        study: what came out.
        item: the id of the item.
        label: put before every quantity, such as "MNIST + Gaussian, student FC(50)".
        recipe: the reading of the paper, with what it was run on.
        size: the size at which it was run.
        clear: whether the paper sees a clear trend here; if not, it claims none.
        run: False where it was run on something else than the paper's data.
        why: put before every reason.
    """
    common: RowFields = {"recipe": recipe, "group": f"{item}/{label}"}
    numbers = {f"test accuracy, {part} part": study.ends(part) for part in PARTS[:2]}
    numbers["test accuracy, whole mixture"] = study.ends("whole")
    numbers["test accuracy, trained on the original data"] = _ends(study)
    weak = weak_teacher(study)
    why = _told(why, weak)
    shown = _told(why, "the paper shows a curve only")
    rows = [
        measured(size, item, f"{label}: {quantity}", 100 * values, unit="%", why=shown, **common)
        for quantity, values in numbers.items()
    ]
    gap, lag = 100 * (study.ends("real") - study.ends("injected")), lagging(study)
    still = int(np.isnan(lag).sum())
    told = f"; a part gained nothing in {still} of {len(lag)} seeds" if still else ""
    for quantity, values, unit, trend, side, more in (
        ("accuracy, real part less injected part", gap, "points", "better", gap, ""),
        (
            "progress of the injected part when the real part has made 90 %",
            lag,
            "%",
            "faster",
            90 - lag,
            f"of each part's own gain in accuracy; below 90 the injected is slower{told}",
        ),
    ):
        claim = f"the real part {trend}" if clear else "no significant trend"
        above = side_of(ours(side), 0.0) if clear else Status.NO_CLAIM
        rows.append(
            conclusion(
                size,
                item,
                f"{label}: {quantity}",
                values,
                claim,
                Status.NOT_RUN if not run else Status.CANNOT_TELL if weak else above,
                unit=unit,
                why=_told(why, more),
                **common,
            )
        )
    return rows


def one_number(size: int, seeds: int) -> Ours:
    """A size that the rule takes from the mean over seeds: it has no error bar of its own."""
    return Ours(mean=float(size), stderr=None, seeds=seeds)


def lagging(study: Study) -> Float[np.ndarray, " seeds"]:
    """In per cent: of its whole gain, what the injected part has when the real part has 90 %.

    Between two recorded steps both go on in a straight line, so that parts that are learned alike
    give 90. NaN where either part gains nothing, as under a teacher that gives all one label.
    """
    found = []
    for fit in study.students:
        real, injected = (_gain(fit.accuracy[part]) for part in PARTS[:2])
        if np.isnan(real + injected).any():
            found.append(np.nan)
            continue
        when = int(np.argmax(real >= 0.9))
        before = max(when - 1, 0)
        risen = real[when] - real[before]
        share = (0.9 - real[before]) / risen if risen > 0 else 1.0
        found.append(100 * (injected[before] + share * (injected[when] - injected[before])))
    return np.array(found)


def _gain(curve: Float[np.ndarray, " records"]) -> Float[np.ndarray, " records"]:
    """From 0 at the first record to 1 at the last; NaN where nothing was gained."""
    gained = curve[-1] - curve[0]
    return (curve - curve[0]) / (gained if gained > 0 else np.nan)


def study_figure(study: Study, *, identity: str, title: str, name: str) -> Figure:
    """The sweep with the size that the rule takes, and the student's accuracies over steps."""
    return Figure(
        id=identity,
        title=title,
        caption="Test loss against size, the teacher's size marked; then test accuracy of the "
        f"student on the parts of the mixture (alpha = {study.alpha:g}), labelled by the teacher, "
        "and of the same student on the original data. Mean and range over "
        f"{len(study.students)} seeds.",
        panels=(sweep_panel(study.sweep, name), _curves(study)),
    )


def sweep_panel(sweep: SizeSweep, name: str, title: str = "") -> Panel:
    """Test loss against size, with the minimum of the first U."""
    return Panel(
        x=Axis(label=f"m of {name}(m)", scale="log", ticks=_apart(sweep.sizes)),
        y=Axis(label="test loss", scale="log"),
        series=(
            over_seeds(
                "mean and range over seeds", np.array(sweep.sizes, float), sweep.losses, role="loss"
            ),
        ),
        marks=(Mark(label=f"m = {sweep.chosen}", at=float(sweep.chosen)),),
        title=title,
    )


def _apart(sizes: tuple[int, ...]) -> tuple[tuple[float, str], ...]:
    """The sizes that have room for a label: each a quarter above the last."""
    kept = [sizes[0]]
    for size in sizes[1:]:
        if size >= 1.25 * kept[-1]:
            kept.append(size)
    return tuple((float(size), str(size)) for size in kept)


def _curves(study: Study) -> Panel:
    curves = {part: [fit.accuracy[part] for fit in study.students] for part in PARTS}
    curves["original"] = [fit.accuracy["real"] for fit in study.originals]
    named = {
        "real": "real part",
        "injected": "injected part",
        "whole": "whole mixture",
        "original": "trained on the original data",
    }
    series = []
    for part, values in curves.items():
        steps = (study.originals if part == "original" else study.students)[0].steps
        percent = 100 * np.array(values, float)
        series.append(over_seeds(named[part], 1.0 + steps, percent, role=ROLES[part]))
    return Panel(
        x=Axis(label="1 + step", scale="log"),
        y=Axis(label="test accuracy (%)", limits=(0.0, 102.0)),
        series=tuple(series),
        title=f"student of size {study.students[0].size}",
    )


def _ends(study: Study) -> Float[np.ndarray, " seeds"]:
    return np.array([fit.accuracy["real"][-1] for fit in study.originals])


def _told(why: str, more: str) -> str:
    return "; ".join(filter(None, (why, more)))
