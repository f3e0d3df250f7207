"""What the statements of this paper have in common: events that happen in most runs.

A lemma says that with probability at least 1 - k delta some inequalities hold at once. Each run of
the setting gives each inequality a worst value and a limit; the share of seeds in which all of them
held, and in which each did, is judged as any claim of high probability is.

A negative control has the hypotheses of the claim and another mechanism: training, start or sample
are broken, or what is looked at.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from featlearn.experiments.lab import Lab
from featlearn.papers.frei2022.assumptions import ALL, hypotheses
from featlearn.papers.frei2022.setting import REFERENCES, XorClusters
from featlearn.papers.frei2022.texts import TEXTS
from featlearn.papers.frei2022.watched import Watched, watched
from featlearn.theory import (
    Claim,
    Control,
    Evidence,
    FittedConstant,
    Hypothesis,
    Kind,
    Statement,
    judged_each,
)
from featlearn.theory import Event as Event

Events = Callable[[Watched], Sequence[Event]]
Constants = Callable[[Sequence[Watched]], dict[str, FittedConstant]]
Broken = Callable[[XorClusters], XorClusters]
Spoilt = Callable[[Watched], Watched]


def unbroken(config: XorClusters) -> XorClusters:
    """The setting itself."""
    return config


def unspoilt(run: Watched) -> Watched:
    """The run itself."""
    return run


def frozen(config: XorClusters) -> XorClusters:
    """A control: the first layer hardly moves."""
    return replace(config, eta=1e-9, steps=config.total_steps)


def lazy(config: XorClusters) -> XorClusters:
    """A control: a start 5000 times as large, beside which training is nothing."""
    return replace(config, omega=5000 * config.start_sd)


def noisier(config: XorClusters) -> XorClusters:
    """A control: noise with twice the standard deviation that the claims are read with."""
    return replace(config, sigma=2 * config.noise_sd)


def drowned(config: XorClusters) -> XorClusters:
    """A control: noise with sixteen times the standard deviation."""
    return replace(config, sigma=16 * config.noise_sd)


def claim(
    name: str,
    title: str,
    place: str,
    events: Events,
    *,
    failures: int = 4,
    seeds: int = 20,
    constants: Constants = lambda runs: {},
    more: Callable[[Sequence[Watched]], Sequence[Claim]] = lambda runs: (),
    needs: tuple[str, ...] = ALL,
    proof: Callable[[XorClusters], Sequence[Hypothesis]] = lambda config: (),
    broken: Broken = unbroken,
    spoilt: Spoilt = unspoilt,
    control: Control[XorClusters] | None = None,
) -> Statement[XorClusters]:
    """A statement that events happen with probability at least 1 - failures * delta.

    Args:
        name: its number in the paper.
        title: what it says.
        place: where it stands.
        events: the inequalities of one run.
        failures: how many delta may be lost.
        seeds: enough for a decision if the events never fail.
        constants: hidden constants, as measured over the runs.
        more: other claims about the runs.
        needs: the assumptions it rests on.
        proof: what its proof asks for beyond them, with numbers of its own.
        broken: what a control does to the setting that is trained.
        spoilt: what a control does to a run before it is looked at.
        control: the same with something broken.
    """

    def evidence(config: XorClusters, lab: Lab) -> Evidence:
        runs = [spoilt(replace(run, config=config)) for run in watched(broken(config), lab)]
        parts = judged_each([events(run) for run in runs], 1 - failures * config.delta)
        return Evidence(parts=(*parts, *more(runs)), constants=constants(runs))

    return Statement(
        id=f"frei2022.{name}",
        title=title,
        kind=Kind.HIGH_PROBABILITY,
        config=XorClusters(),
        evidence=evidence,
        hypotheses=lambda config: [*hypotheses(config, needs), *proof(config)],
        text=TEXTS[name],
        control=control,
        seeds=seeds,
        place=place,
        references=REFERENCES,
    )
