"""The bar of a part's strength: where it stands, and what it says."""

import math
import re

from featlearn.report.strength import LEFT, RIGHT, bar, told
from featlearn.theory.verdict import Grade, Part, Strength


def part(**strength) -> Part:
    found = Strength(grade=Grade.SAMPLED, **strength)
    return Part(name="x", relation="<=", measured=1.0, predicted=2.0, verdict=None, strength=found)


def place(svg: str, name: str) -> float:
    (found,) = re.findall(rf'class="{name}"[^>]* (?:cx|x1?)="([\d.]+)"', svg)
    return float(found)


def test_a_tight_claim_is_met_where_it_stands_and_a_loose_one_far_left():
    assert place(bar(part(sharpness=1.0)), "measured") == LEFT
    assert place(bar(part(sharpness=100.0)), "measured") == LEFT / 2
    assert place(bar(part(sharpness=math.inf)), "measured") == 0


def test_finer_evidence_notices_more():
    fine, coarse = (place(bar(part(detectable=d)), "limit") for d in (1e-4, 1.0))
    assert LEFT < fine < coarse < LEFT + RIGHT
    assert fine == LEFT + RIGHT * 0.4


def test_without_numbers_there_is_no_bar():
    assert bar(part()) == ""


def test_the_words_say_the_same():
    words = told(part(excluded="powers above 0.2", detectable=0.05, sharpness=3.0))
    assert words == (
        "sampled; excludes powers above 0.2; nine of ten runs would notice 5 %; loose (factor 3)"
    )
    assert words in bar(part(excluded="powers above 0.2", detectable=0.05, sharpness=3.0))
