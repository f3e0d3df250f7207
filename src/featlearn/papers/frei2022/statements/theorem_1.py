r"""Theorem 1: clean points right, noisy points wrong, test error near the noise rate (section 3).

With probability at least 1 - 4 delta, at T = 1 + 1/(4 alpha):

    every clean training point has y f(x) > 0, every noisy one y f(x) < 0,
    P(y f(x) <= 0) <= eta + C sqrt(log(1/delta)/n).

The proof gives a margin, |f(x_i)| >= e^-2/(16*1024). With the C >= 16 of this setting the second
line allows an error beyond 1 - eta and could not fail; it is judged with 1 in the place of C, which
implies it.
"""

import math
from collections.abc import Sequence

from featlearn.papers.frei2022.claim import Event, claim
from featlearn.papers.frei2022.watched import Watched
from featlearn.theory import Statement

MARGIN = math.exp(-2) / (16 * 1024)


def statement(fitted: bool = False, constant: float = 1.0) -> Statement:
    """The theorem; `fitted` claims instead that the noisy points are right at T.

    Args:
        fitted: another claim.
        constant: C in the bound on the test error.
    """

    def events(run: Watched) -> Sequence[Event]:
        config, margin = run.config, run.margins(-1)
        clean = float(margin[~run.noisy].min(initial=math.inf))
        noisy = margin[run.noisy]
        slack = constant * math.sqrt(math.log(1 / config.delta) / config.samples)
        wrong = (
            Event(
                name="noisy points right: min y f(x)",
                measured=float(noisy.min(initial=math.inf)),
                limit=0.0,
                side=">=",
            )
            if fitted
            else Event(
                name="every noisy point wrong, with the proof's margin: max y f(x)",
                measured=float(noisy.max(initial=-math.inf)),
                limit=-MARGIN,
            )
        )
        return [
            Event(
                name="every clean point right, with the proof's margin: min y f(x)",
                measured=clean,
                limit=MARGIN,
                side=">=",
            ),
            wrong,
            Event(
                name=f"test error <= flips + {constant:g} sqrt(log(1/delta)/n)",
                measured=run.test_error,
                limit=config.flip_rate + slack,
            ),
        ]

    return claim(
        "theorem-1",
        "At T every clean point is right, every noisy one wrong, and the test error near the flips",
        "Theorem 1, section 3",
        events,
    )


STATEMENT = statement()
