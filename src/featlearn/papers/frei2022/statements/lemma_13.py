r"""Lemma 13: both conditions persist (section 4.3).

On a good run, for every t = 1, …, 1/(4 alpha), condition 9 holds at t and condition 10 up to t.
"""

from collections.abc import Sequence

from featlearn.papers.frei2022.assumptions import good_run, persistent
from featlearn.papers.frei2022.claim import Broken, Event, claim, frozen, unbroken
from featlearn.papers.frei2022.setting import XorClusters
from featlearn.papers.frei2022.statements import condition_9, condition_10
from featlearn.papers.frei2022.watched import Watched
from featlearn.theory import Control, Statement


def statement(factor: float = 3.0, broken: Broken = unbroken) -> Statement[XorClusters]:
    """The lemma; another factor in condition 10 is another claim."""

    def events(run: Watched) -> Sequence[Event]:
        first = condition_9.facts(run, range(1, condition_9.until(run) + 1))
        second = condition_10.facts(run, factor)
        return [*first, *second]

    return claim(
        "lemma-13",
        "Neuron alignment and almost-orthogonality persist to 1/(4 alpha)",
        "Lemma 13, section 4.3",
        events,
        proof=lambda config: [*good_run(config), *persistent(config)],
        broken=broken,
        control=Control("the first layer is frozen", lambda: statement(broken=frozen)),
    )


STATEMENT = statement()
