"""Who listens to what the store does: whether an entry is read, adopted or computed, and why."""

import contextlib
from collections.abc import Callable, Iterator

Listener = Callable[[str], None]
_listeners: list[tuple[Listener, bool]] = []


@contextlib.contextmanager
def explaining(listener: Listener, *, everything: bool = True) -> Iterator[None]:
    """While it lasts, say of every entry whether it is read, adopted or new, and why.

    With `everything` false it says only that something was computed in another environment.
    """
    added = (listener, everything)
    _listeners.append(added)
    try:
        yield
    finally:
        _listeners.remove(added)


def tell(sentence: str, *, always: bool = False) -> None:
    """Say it to all who listen to everything; with `always`, to the others as well."""
    for listener, everything in list(_listeners):
        if always or everything:
            listener(sentence)
