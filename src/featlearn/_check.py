"""Checks of arguments, whose messages all have the same form.

Every message says where the mistake is, what was expected, what was given and what to try. A bare
``assert`` is for our own mistakes; these functions are for the caller's.
"""

import difflib
import errno
from collections.abc import Iterable, Sequence


class InputError(ValueError):
    """A mistake of the caller, described in one sentence; the command line exits with code 2."""

    def __init__(self, where: str, expected: str, got: object, hint: str = "") -> None:
        self.where, self.expected, self.got, self.hint = where, expected, str(got), hint
        super().__init__(f"{where}: expected {expected}, got {got}. {hint}".rstrip())

    def __reduce__(self) -> tuple[type["InputError"], tuple[str, str, str, str]]:
        return type(self), (self.where, self.expected, self.got, self.hint)


class MissingResource(InputError):
    """An optional package or a data file is missing on this machine; `reproduce` skips the item."""


def as_sentence(error: Exception, where: str, expected: str) -> InputError:
    """Turn any exception into an `InputError` with its type and the first line of its message.

    Example:
        >>> print(as_sentence(OverflowError("too large"), "d", "a size one can compute with"))
        d: expected a size one can compute with, got OverflowError: too large.
    """
    if isinstance(error, InputError):
        return error
    said = (str(error).splitlines() or [""])[0][:300]
    return InputError(where, expected, f"{type(error).__name__}: {said}".rstrip(": ."))


def disk_is_full(error: BaseException) -> bool:
    """Whether the error means that the disk or the user's quota is full.

    Example:
        >>> disk_is_full(OSError(errno.ENOSPC, "No space left on device"))
        True
    """
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def require(ok: bool, where: str, expected: str, got: object, hint: str = "") -> None:
    """Raise `InputError` unless `ok` is true.

    Example:
        >>> require(3 < 2, "f(k)", expected="k < 2", got=3, hint="Try k=1.")
        Traceback (most recent call last):
        featlearn._check.InputError: f(k): expected k < 2, got 3. Try k=1.
    """
    if not ok:
        raise InputError(where, expected, got, hint)


def require_one_of(value: str, options: Sequence[str], where: str) -> None:
    """Raise `InputError` unless `value` is in `options`; the message lists them all."""
    listed = ", ".join(map(repr, options))
    require(value in options, where, f"one of {listed}", repr(value))


def suggestion(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """A sentence that names the known word nearest to `word`, or `otherwise` if none is near.

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
