r"""Theorem 1: clean points right, noisy points wrong, test error near the noise rate (section 3).

With probability at least 1 - 4 delta, at T = 1 + 1/(4 alpha):

    1. every clean training point has y f(x) > 0, every noisy one y f(x) < 0,
    2. P(y f(x) <= 0) <= eta + C sqrt(log(1/delta)/n).

The first line is judged with the margin that the proof gives, |f(x_i)| >= e^-2/(16*1024), the
second with the least C that A7 allows. At the default, C = 16, it allows an error of 1 - eta, which
is that of the worst classifier there is: VACUOUS. What would have to stand in the place of C is
told as a constant (it is below 1).
"""

import math
from collections.abc import Sequence

from featlearn.papers.frei2022.assumptions import good_run, least_constant, small_step
from featlearn.papers.frei2022.claim import Broken, Event, claim, frozen, unbroken
from featlearn.papers.frei2022.setting import XorClusters
from featlearn.papers.frei2022.watched import Watched
from featlearn.theory import Claim, Control, FittedConstant, Statement, exact_bound, spread

MARGIN = math.exp(-2) / (16 * 1024)


def rate(config: XorClusters) -> float:
    """sqrt(log(1/delta)/n)."""
    return math.sqrt(math.log(1 / config.delta) / config.samples)


def constants(runs: Sequence[Watched]) -> dict[str, FittedConstant]:
    """What stands in the place of C in the second line."""
    needed = [(run.test_error - run.config.flip_rate) / rate(run.config) for run in runs]
    return {"(test error - flips)/sqrt(log(1/delta)/n)": spread(needed)}


def statement(
    fitted: bool = False,
    margin: float = MARGIN,
    constant: float | None = None,
    broken: Broken = unbroken,
) -> Statement[XorClusters]:
    """The theorem; `fitted` claims instead that the noisy points are right at T.

    Args:
        fitted: another claim.
        margin: of the first line.
        constant: C in the bound on the test error; none is the least that A7 allows.
        broken: what a control does to the setting.
    """

    def allowed(config: XorClusters) -> float:
        C = least_constant(config) if constant is None else constant
        return config.flip_rate + C * rate(config)

    def empty(config: XorClusters) -> bool:
        return allowed(config) >= 1 - config.flip_rate

    def events(run: Watched) -> Sequence[Event]:
        margins = run.margins(-1)
        clean = float(margins[~run.noisy].min(initial=math.inf))
        noisy = margins[run.noisy]
        wrong = (
            Event(
                name="noisy points right: min y f(x)",
                measured=float(noisy.min(initial=math.inf)),
                limit=0.0,
                side=">=",
            )
            if fitted
            else Event(
                name="1. every noisy point wrong, with the proof's margin: max y f(x)",
                measured=float(noisy.max(initial=-math.inf)),
                limit=-margin,
            )
        )
        first = [
            Event(
                name="1. every clean point right, with the proof's margin: min y f(x)",
                measured=clean,
                limit=margin,
                side=">=",
            ),
            wrong,
        ]
        if empty(run.config):
            return first
        second = Event(
            name="2. test error <= flips + C sqrt(log(1/delta)/n)",
            measured=run.test_error,
            limit=allowed(run.config),
        )
        return [*first, second]

    def more(runs: Sequence[Watched]) -> Sequence[Claim]:
        config = runs[0].config
        if not empty(config):
            return []
        worst = max(run.test_error for run in runs)
        return [
            exact_bound(
                "2. test error <= flips + C sqrt(log(1/delta)/n)",
                worst,
                allowed(config),
                vacuous=f"C = {least_constant(config):.4g} allows an error of "
                f"{allowed(config):.3g}, and the worst classifier has {1 - config.flip_rate:.3g}",
            )
        ]

    return claim(
        "theorem-1",
        "At T every clean point is right, every noisy one wrong, and the test error near the flips",
        "Theorem 1, section 3",
        events,
        constants=constants,
        more=more,
        proof=lambda config: [*good_run(config), *small_step(config)],
        broken=broken,
        control=Control("the first layer is frozen", lambda: statement(broken=frozen)),
    )


STATEMENT = statement()
