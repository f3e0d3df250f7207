"""Argument checks that all speak with one voice.

Every message reads: where, what was expected, what came, what to try. A bare ``assert`` is for
our own mistakes; these functions are for the caller's.
"""

import difflib
import errno
from collections.abc import Iterable, Sequence


class InputError(ValueError):
    """The caller's mistake, told in one sentence; the command line ends with exit code 2."""

    def __init__(self, where: str, expected: str, got: object, hint: str = "") -> None:
        self.where, self.expected, self.got, self.hint = where, expected, str(got), hint
        super().__init__(f"{where}: expected {expected}, got {got}. {hint}".rstrip())

    def __reduce__(self) -> tuple[type["InputError"], tuple[str, str, str, str]]:
        return type(self), (self.where, self.expected, self.got, self.hint)


class MissingResource(InputError):
    """What this machine has not, an optional package or a data file; `reproduce` leaves it out."""


def as_sentence(error: Exception, where: str, expected: str) -> InputError:
    """Any failure in the house wording: its kind and the first line of what it said.

    Example:
        >>> print(as_sentence(OverflowError("too large"), "d", "a size one can compute with"))
        d: expected a size one can compute with, got OverflowError: too large.
    """
    if isinstance(error, InputError):
        return error
    said = (str(error).splitlines() or [""])[0][:300]
    return InputError(where, expected, f"{type(error).__name__}: {said}".rstrip(": ."))


def no_room(error: BaseException) -> bool:
    """Whether a disk, or one's share of it, is full: then all that follows would fail as well.

    Example:
        >>> no_room(OSError(errno.ENOSPC, "No space left on device"))
        True
    """
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def require(ok: bool, where: str, expected: str, got: object, hint: str = "") -> None:
    """Raise `InputError` unless `ok`, in the house wording.

    Example:
        >>> require(3 < 2, "f(k)", expected="k < 2", got=3, hint="Try k=1.")
        Traceback (most recent call last):
        featlearn._check.InputError: f(k): expected k < 2, got 3. Try k=1.
    """
    if not ok:
        raise InputError(where, expected, got, hint)


def require_one_of(value: str, options: Sequence[str], where: str) -> None:
    """Raise `InputError` unless `value` is in `options`; the text lists them all."""
    listed = ", ".join(map(repr, options))
    require(value in options, where, f"one of {listed}", repr(value))


def suggestion(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """A sentence naming the known word nearest to `word`, or `otherwise`.

    Example:
        >>> suggestion("widht", ["width", "d"])
        'Did you mean width?'
    """
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f"Did you mean {near[0]}?" if near else otherwise


def require_positive(value: int | float, where: str, *, least: int | float | None = None) -> None:
    """Raise `InputError` unless `value` is a finite positive number, at least `least` if given."""
    finite = value == value and abs(value) != float("inf")
    if least is None:
        require(finite and value > 0, where, "a positive number", value)
    else:
        require(finite and value >= least, where, f"at least {least}", value)
