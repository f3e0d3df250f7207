"""What the statements of this paper have in common: events that happen in most runs.

A lemma says that with probability at least 1 - k delta some inequalities hold at once. Each run of
the setting gives each inequality a worst value and a limit; the share of seeds in which it held is
judged as any claim of high probability is.
"""

from collections.abc import Callable, Sequence

from featlearn.experiments.lab import Lab
from featlearn.papers.frei2022.assumptions import ALL, assumptions
from featlearn.papers.frei2022.setting import REFERENCES, XorClusters
from featlearn.papers.frei2022.watched import Watched, watch
from featlearn.theory import Event as Event
from featlearn.theory import Evidence, FittedConstant, Kind, Statement, judged_each

Events = Callable[[Watched], Sequence[Event]]
Constants = Callable[[Sequence[Watched]], dict[str, FittedConstant]]


def claim(
    name: str,
    title: str,
    place: str,
    events: Events,
    *,
    failures: int = 4,
    seeds: int = 20,
    constants: Constants = lambda runs: {},
    needs: tuple[str, ...] = ALL,
) -> Statement:
    """A statement that events happen with probability at least 1 - failures * delta.

    Args:
        name: its number in the paper.
        title: what it says.
        place: where it stands.
        events: the inequalities of one run.
        failures: how many delta may be lost.
        seeds: enough for a decision if the events never fail.
        constants: hidden constants, as measured over the runs.
        needs: the assumptions it rests on.
    """

    def evidence(config: XorClusters, lab: Lab) -> Evidence:
        runs = lab.each_seed(watch, config=config)
        parts = judged_each([events(run) for run in runs], 1 - failures * config.delta)
        return Evidence(parts=tuple(parts), constants=constants(runs))

    return Statement(
        id=f"frei2022.{name}",
        title=title,
        kind=Kind.HIGH_PROBABILITY,
        config=XorClusters(),
        evidence=evidence,
        assumptions=lambda config: assumptions(config, needs),
        seeds=seeds,
        place=place,
        references=REFERENCES,
    )
