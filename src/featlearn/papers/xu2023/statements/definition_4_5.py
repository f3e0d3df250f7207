r"""Definition 4.5: a good run, in which B1-B4, C1, C2 and D1-D4 hold at once (section 4.1).

The paper bounds its probability by 1 - O(n^-eps) from below, and lemma 4.7, theorem 4.8 and the
proof of theorem 3.1 speak of good runs alone. There is none at any n below 10^305: B3 and B4
contradict each other there, and D2 asks for more neurons than there are up to 10^241. A calculator:
it tells the exact probability, and how many of the ten conditions the runs keep.
"""

import numpy as np

from featlearn.experiments.lab import Lab
from featlearn.papers.xu2023.assumptions import EPSILON
from featlearn.papers.xu2023.claim import met, threshold_part
from featlearn.papers.xu2023.counts import count_probability
from featlearn.papers.xu2023.setting import REFERENCES, AssumptionsMet
from featlearn.papers.xu2023.statements import lemma_4_1, lemma_4_3, lemma_4_4
from featlearn.papers.xu2023.texts import TEXTS
from featlearn.papers.xu2023.watched import OPPOSITE, Watched, watch
from featlearn.theory import Evidence, Kind, Statement, reported


def kept(run: Watched) -> dict[str, bool]:
    """Which conditions one run keeps, at the largest epsilon."""
    n, eta = run.config.samples, run.config.flips
    points = run.clean + run.flipped
    log = np.log(n)
    one = {event.name[:2]: event.happened for event in lemma_4_3.facts(run)}
    near = [event.happened for event in lemma_4_1.facts(run)]
    meet = lemma_4_4.facts(run)
    around = np.abs(points - n / 4) <= np.sqrt(EPSILON * n * log)
    flips = np.abs(run.flipped - eta * points) <= np.sqrt(EPSILON * eta * n * log)
    apart = np.abs(points - points[OPPOSITE]) >= n ** (0.5 - EPSILON)
    uneven = np.abs(run.flipped - run.flipped[OPPOSITE]) >= eta * n ** (0.5 - EPSILON)
    return {
        "B1": near[0] and near[1],
        "B2": near[2],
        "B3": bool((around & flips).all()),
        "B4": bool((apart & uneven).all()),
        "C1": one["C1"],
        "C2": one["C2"],
        "D1": meet[0].happened,
        "D2": lemma_4_4.share_aligned(run, 0.0) >= n ** (-10 * EPSILON),
        "D3": lemma_4_4.share_either(run) >= 1 - 10 * n ** (-20 * EPSILON),
        "D4": meet[1].happened and meet[2].happened,
    }


def evidence(config: AssumptionsMet, lab: Lab) -> Evidence:
    """The share of runs that keep each condition, and all of them."""
    runs = [kept(run) for run in lab.each_seed(watch, config=config.setting())]
    shares = {name: float(np.mean([run[name] for run in runs])) for name in runs[0]}
    both = count_probability(config.samples, config.flip_rate, EPSILON)
    good = reported(
        "P(good run) is at most P(B3 and B4), computed exactly",
        float(np.mean([all(run.values()) for run in runs])),
        both,
        relation="<=",
        reason="kept by " + ", ".join(f"{name} {share:.2f}" for name, share in shares.items()),
    )
    waits = [threshold_part(name, config) for name in ("counts", "aligned", "most aligned")]
    return Evidence(parts=(good, *waits))


STATEMENT = Statement(
    id="xu2023.definition-4.5",
    title="A good run: all properties of sample and start at once, of which there is none",
    kind=Kind.DEFINITION,
    config=AssumptionsMet(),
    evidence=evidence,
    hypotheses=met,
    text=TEXTS["definition-4.5"],
    seeds=59,
    place="Definition 4.5, section 4.1",
    references=REFERENCES,
)
