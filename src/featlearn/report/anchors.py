"""Deep links: every paper, item, row, figure and statement of the page has a permanent id."""

import re
from collections.abc import Iterable


def anchor(text: str) -> str:
    """Return the fragment of a deep link for an id: signs that a link cannot have become hyphens.

    Example:
        >>> anchor("glasgow2023.lemma-C.4"), anchor("phase 1: θ")
        ('glasgow2023.lemma-C.4', 'phase-1-')
    """
    return re.sub(r"[^\w.-]+", "-", text, flags=re.ASCII)


class Anchors:
    """Gives out deep links, each only once: a name that occurs again gets a number.

    Example:
        >>> anchors = Anchors(taken=["find"])
        >>> [anchors.give(name) for name in ("loss η", "loss θ", "find")]
        ['loss-', 'loss--2', 'find-2']
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)

    def give(self, text: str) -> str:
        """Return a link for a text that differs from all links given before."""
        plain = found = anchor(text) or "unnamed"
        number = 1
        while found in self._taken:
            number += 1
            found = f"{plain}-{number}"
        self._taken.add(found)
        return found
