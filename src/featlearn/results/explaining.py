"""Messages that say whether a stored entry is read, adopted or computed anew, and why."""

import contextlib
from collections.abc import Callable, Iterator

Listener = Callable[[str], None]
_listeners: list[tuple[Listener, bool]] = []


@contextlib.contextmanager
def explaining(listener: Listener, *, everything: bool = True) -> Iterator[None]:
    """Inside the `with` block, call `listener` with a sentence on each entry: read, adopted or new.

    If `everything` is false, it is called only if an entry was computed in another environment.
    """
    added = (listener, everything)
    _listeners.append(added)
    try:
        yield
    finally:
        _listeners.remove(added)


def tell(sentence: str, *, always: bool = False) -> None:
    """Pass a sentence to all listeners to everything; with `always`, to all other listeners too."""
    for listener, everything in list(_listeners):
        if always or everything:
            listener(sentence)
