"""What the items of this paper have in common."""

from featlearn.papers.frei2022.assumptions import in_scope, largest_constants, window
from featlearn.papers.frei2022.setting import XorClusters


def scope_note(name: str, config: XorClusters) -> str:
    """Whether theorem 1 speaks of a setting, with every assumption's largest C."""
    listed = ", ".join(f"{each} {limit:.3g}" for each, limit in largest_constants(config).items())
    low, high = window(config.eta)
    told = "inside" if in_scope(config) else "outside"
    return (
        f"{name} is {told} the scope of theorem 1: the largest C allowed is {listed}, "
        f"while A7 asks for C in [{low:.3g}, {high:.3g}]."
    )
