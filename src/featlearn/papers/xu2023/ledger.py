"""What the items of this paper have in common."""

from featlearn.papers.xu2023.assumptions import largest_constants
from featlearn.papers.xu2023.setting import GrokkingClusters


def scope_note(name: str, config: GrokkingClusters) -> str:
    """How far a setting is from the assumptions, at C = 1."""
    limits = largest_constants(config)
    missed = [f"{each} by {1 / limit:.2g}" for each, limit in limits.items() if limit < 1 - 1e-9]
    if not missed:
        return f"{name} meets A1 to A6 at C = 1."
    return f"{name} misses {', '.join(missed)} at C = 1: theorem 3.1 does not speak of it."
