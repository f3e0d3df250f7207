"""By how much the irrelevant components of the first gradient may be off (lemma 15)."""

import math

from featlearn.distributions import Patterns


def error_scale(law: Patterns, width: int, delta: float) -> float:
    """eps_e of lemma 15: (k l^(1/2) + l^(3/2)) / sqrt(p_o (1 - p_o) (D - k)), l = log(Dm/delta)."""
    D, p = law.dictionary, law.truth.background_rate
    log = math.log(D * width / 2 / delta)
    return (law.k * log**0.5 + log**1.5) / math.sqrt(p * (1 - p) * (D - law.k))
