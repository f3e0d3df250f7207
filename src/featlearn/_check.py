"""Checks of arguments, whose messages all have the same form.

Every message says where the mistake is, what was expected, what was given and what to try. A bare
``assert`` is for our own mistakes; these functions are for the caller's.
"""

import difflib
import errno
import re
import traceback
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from pathlib import Path

LONGEST_TEXT = 600
"""Characters of what was given that a message repeats."""


def _within(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"


class InputError(ValueError):
    """A mistake of the caller, described in one sentence; the command line exits with code 2."""

    def __init__(self, where: str, expected: str, got: object, hint: str = "") -> None:
        got = _within(str(got), LONGEST_TEXT)
        self.where, self.expected, self.got, self.hint = where, expected, got, hint
        super().__init__(f"{where}: expected {expected}, got {got}. {hint}".rstrip())

    def __reduce__(self) -> tuple[type["InputError"], tuple[str, str, str, str]]:
        return type(self), (self.where, self.expected, self.got, self.hint)


class MissingResource(InputError):
    """Raised if an optional package or a data file is missing on this machine; `reproduce` skips
    the item.
    """


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


def line_of_user(error: BaseException) -> str:
    """Return the last line outside featlearn and installed packages that an error came through,
    such as "file.py:12", or "" if there is none.
    """
    ours = str(Path(__file__).parent)
    apart = (ours, "site-packages", "dist-packages", "/lib/python", "<frozen")
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [each for each in frames if not any(part in each.filename for part in apart)]
    return f"{Path(theirs[-1].filename).name}:{theirs[-1].lineno}" if theirs else ""


def disk_is_full(error: BaseException) -> bool:
    """Return whether the error means that the disk or the user's quota is full.

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


def suggestion(word: object, known: Iterable[str], otherwise: str = "") -> str:
    """Return a sentence that names the known word nearest to `word`, or `otherwise` if none is
    near.

    Example:
        >>> suggestion("widht", ["width", "d"])
        'Did you mean width?'
    """
    bare = {each.lstrip("-"): each for each in known}  # dashes say nothing about nearness
    near = difflib.get_close_matches(str(word).lstrip("-"), bare, n=1, cutoff=0.5)
    return f"Did you mean {bare[near[0]]}?" if near else otherwise


LARGEST_COUNT = 2**31 - 1
"""Of points, steps or records: beyond it the 32-bit integers of a run end."""


def require_count(value: object, where: str, of: str, *, least: int = 1) -> None:
    """Raise `InputError` unless `value` is a whole number that a run can count to (32 bits).

    Args:
        value: the number.
        where: whose it is.
        of: what is counted, such as "point a step".
        least: the smallest that makes sense.

    Example:
        >>> require_count(10**12, "Fresh(batch)", "point a step")
        Traceback (most recent call last):
        featlearn._check.InputError: Fresh(batch): expected at most 2147483647, got 1000000000000.
    """
    require(is_whole(value), where, "a whole number", repr(value))
    assert isinstance(value, int)
    require(value >= least, where, f"at least {least} {of}", value)
    require(value <= LARGEST_COUNT, where, f"at most {LARGEST_COUNT}", _short(value))


def is_whole(value: object) -> bool:
    """Return whether a value is an integer of Python or NumPy; True and False do not count.

    Example:
        >>> is_whole(3), is_whole(True), is_whole("3"), is_whole(3.0)
        (True, False, False, False)
    """
    return isinstance(value, Integral) and not isinstance(value, bool)


def require_name(name: object, where: str) -> None:
    """Raise `InputError` unless `name` can name a single file or folder, so that it cannot lead out
    of its parent folder.

    Example:
        >>> require_name("../evil", "id")
        Traceback (most recent call last):
        featlearn._check.InputError: id: expected letters, digits, . _ + and -, got '../evil'.
    """
    plain = isinstance(name, str) and re.fullmatch(r"[^\W_][\w.+-]{0,119}", name) is not None
    told = "letters, digits, . _ + and -"
    require(plain, where, told, repr(name)[:200])


def is_number(value: object) -> bool:
    """Return whether a value is a real number of Python or NumPy; True and False do not count.

    Example:
        >>> is_number(3), is_number(0.5), is_number(True), is_number("3")
        (True, True, False, False)
    """
    return isinstance(value, Real) and not isinstance(value, bool)


def _short(value: int) -> str:
    """Return a whole number as a text of at most thirty characters."""
    return str(value) if abs(value) < 10**29 else "a number of over 29 digits"


def require_size(value: object, where: str, *, squared: bool = False) -> None:
    """Raise `InputError` if float32 cannot represent a size of weights; 0 is allowed.

    A value that is not a plain number, such as one that JAX traces, is not checked.

    Args:
        value: the size.
        where: whose it is.
        squared: whether float32 must have its square too, as it must for a norm.

    Example:
        >>> require_size(1e300, "Signs(size)")
        Traceback (most recent call last):
        featlearn._check.InputError: Signs(size): expected 0, or 1e-37 to 1e+37, got 1e+300.
    """
    if isinstance(value, (int, float)):
        power = 18 if squared else 37
        fits = value == 0 or 10.0**-power <= abs(value) <= 10.0**power
        require(fits, where, f"0, or 1e-{power} to 1e+{power}", value)


def require_rate(value: object, where: str) -> None:
    """Raise `InputError` unless a step size is a positive number that float32 can represent.

    Example:
        >>> require_rate(1e-300, "Plain(eta)")
        Traceback (most recent call last):
        featlearn._check.InputError: Plain(eta): expected a number from 1e-37 to 1e+37, got 1e-300.
    """
    if isinstance(value, (int, float)):
        require_positive(value, where)
        require(1e-37 <= value <= 1e37, where, "a number from 1e-37 to 1e+37", value)


def require_positive(value: int | float, where: str, *, least: int | float | None = None) -> None:
    """Raise `InputError` unless `value` is a finite positive number and, if `least` is given, at
    least that.
    """
    finite = value == value and abs(value) != float("inf")
    if least is None:
        require(finite and value > 0, where, "a positive number", value)
    else:
        require(finite and value >= least, where, f"at least {least}", value)
