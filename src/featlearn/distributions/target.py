r"""A function of k bits as its Fourier expansion, made from any of four descriptions.

    k   bits z_1 … z_k, fair signs          S   a set of bits          chi_S = prod_{i in S} z_i

    h(z) = sum_S c_S chi_S(z),      c_S = E[h(z) chi_S(z)],      E h^2 = sum_S c_S^2.

Bits are counted from 1, as papers do. A target is given as

    a formula      "x1 + 0.5*x1*x2 - sign(x1 + x2 + x3)"       + - * / ** and sign, bits x1, x2, …
    a dictionary   {(1,): 1.0, (1, 2): 0.5}                    supports and coefficients
    a truth table  2^k numbers in the order of `every_sign(k)` (bit 1 changes fastest, -1 first)
    a function     lambda a, b, c: a * b + c                   of k signs, called at every corner

and is stored as its nonzero coefficients, so that two descriptions of one function give equal
values.

For Gaussian bits the expansion is in Hermite polynomials: a support may name a bit several times,
(1, 1, 2) is the term He_2(z_1) He_1(z_2)/sqrt(2! 1!), and the c_S^2 still sum to E h^2. Such a
target must be given as a formula or a dictionary, since it has to be a polynomial. A product of
different bits is the same term in both expansions.
"""

import functools
import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxtyping import Float

from featlearn._check import InputError, require
from featlearn.distributions.formula import hermite_of_formula, values_of_formula

MOST_BITS = 20
"""2^20 corners are written down, not more."""
NEGLIGIBLE = 1e-12
"""A coefficient below this share of the largest is rounding."""
WHERE = "Boolean(target)"

Support = tuple[int, ...]


@dataclass(frozen=True)
class Target:
    """A function of k bits, each of which matters, stored as its nonzero coefficients."""

    k: int
    terms: tuple[tuple[Support, float], ...]
    """Supports, small ones first, and their coefficients; () is the mean."""
    gaussian: bool = False
    """The bits are normal, and the expansion is Hermite's."""

    def __str__(self) -> str:
        return " ".join(_told(i, S, c) for i, (S, c) in enumerate(self.terms))

    @functools.cached_property
    def coefficients(self) -> dict[Support, float]:
        """The nonzero coefficients c_S by support S."""
        return dict(self.terms)

    @property
    def supports(self) -> tuple[Support, ...]:
        """The supports with nonzero coefficients, without the empty one (the mean)."""
        return tuple(S for S, _ in self.terms if S)

    @property
    def degree(self) -> int:
        """The degree of the target as a polynomial, which is the size of its largest support."""
        return max(len(S) for S in self.supports)

    @property
    def mean(self) -> float:
        """The mean E h, which is the coefficient of the empty support."""
        return self.coefficients.get((), 0.0)

    @property
    def variance(self) -> float:
        """The variance E (h - E h)^2, which is the sum of c_S^2 over all other supports."""
        return sum(c**2 for S, c in self.terms if S)

    def error_of_degree(self, degree: int) -> float:
        """Return the least E (h - q)^2 over polynomials q of degree at most `degree`.

        It is the sum of c_S^2 over larger supports.

        Example:
            >>> target_of("x1 + 2*x1*x2").error_of_degree(1)
            4.0
        """
        return sum(c**2 for S, c in self.terms if len(S) > degree)

    @functools.cached_property
    def table(self) -> Float[np.ndarray, " corners"]:
        """The values of h at every corner of the cube, in the order of `every_sign(k)`."""
        require(not self.gaussian, "Target.table", "bits that are signs", "Gaussian ones")
        c = np.zeros(2**self.k)
        for S, value in self.terms:
            c[sum(1 << (i - 1) for i in S)] = value
        return walsh(c)

    def __call__(self, z: Any) -> Any:
        """Return the polynomial h at the rows of z, which may be signs or other real numbers.

        The array z may be of NumPy or of JAX.
        """
        total = 0.0 * z[..., 0]
        for S, c in self.terms:
            term = c
            for i in sorted(set(S)):
                term = term * hermite(S.count(i), z[..., i - 1])
            total = total + term
        return total

    def sign(self) -> "Target":
        """Return the target sign h.

        Raise `InputError` if h is 0 at a corner of the cube or if sign h ignores one of the bits.
        """
        where = "Boolean(task)"
        require(not self.gaussian, where, "Boolean bits for the expansion of sign h", "Gaussian")
        corners = np.flatnonzero(np.abs(self.table) <= NEGLIGIBLE * np.abs(self.table).max())
        if len(corners):
            z = ", ".join("-+"[corners[0] >> i & 1] for i in range(self.k))
            expected = "h other than 0 at every corner, for labels sign h"
            raise InputError(where, expected, f"h = 0 at ({z})", "Take task='regression'.")
        terms = _terms(np.sign(self.table))
        lost = [f"x{i}" for i in range(1, self.k + 1) if not any(i in S for S in terms)]
        expected = "labels sign h that depend on every bit of h"
        require(not lost, where, expected, f"ones that ignore {', '.join(lost)}")
        return _made(self.k, terms, False)


def target_of(given: object, *, gaussian: bool = False) -> Target:
    """Return the target that `given` describes, or raise `InputError` if it describes none.

    `given` is a `Target`, a formula, a dictionary, a truth table or a function of k signs.

    Example:
        >>> str(target_of(lambda a, b: a * b)), str(target_of({(1,): 2, (2, 1): -0.5}))
        ('x1*x2', '2*x1 - 0.5*x1*x2')
    """
    if isinstance(given, Target):
        expected = f"a target of {'Gaussian' if gaussian else 'Boolean'} bits"
        require(given.gaussian == gaussian, WHERE, expected, "one of the other kind")
        return given
    if isinstance(given, str):
        if gaussian:
            return _from_hermite(hermite_of_formula(given, WHERE))
        return from_table(values_of_formula(given, MOST_BITS, WHERE))
    if isinstance(given, Mapping):
        return _from_coefficients(given, gaussian)
    if callable(given):
        _require_signs(gaussian, "a function")
        return from_table(_values_of_function(given))
    _require_signs(gaussian, "a truth table")
    return from_table(_numbers(given))


def from_table(values: Float[np.ndarray, " corners"]) -> Target:
    """Return the target with a given truth table: 2^k numbers in the order of `every_sign(k)`."""
    size = len(values)
    k = size.bit_length() - 1
    expected = "2^k numbers, one a corner"
    require(size >= 2 and size == 1 << k, WHERE, expected, f"a truth table of {size}")
    _require_bits(k)
    known = bool(np.all(np.isfinite(values)))
    require(known, WHERE, "finite values at every corner", "infinity or NaN")
    return _made(k, _terms(values), False)


def _terms(values: Float[np.ndarray, " corners"]) -> dict[Support, float]:
    """Return the Fourier coefficients of a truth table that are larger than rounding errors."""
    c, k = inverse_walsh(values), len(values).bit_length() - 1
    places = np.flatnonzero(np.abs(c) > NEGLIGIBLE * np.abs(c).max(initial=0.0)).tolist()
    return {tuple(i + 1 for i in range(k) if place >> i & 1): float(c[place]) for place in places}


def walsh(c: Float[np.ndarray, " sets"]) -> Float[np.ndarray, " corners"]:
    """Return sum_S c_S chi_S(z) at every corner z, by the fast Walsh-Hadamard transform.

    Sets are numbered like corners: the set S has the number of the corner with z_i = +1 for i in S.

    Example:
        >>> walsh(np.array([1.0, 2.0]))  # 1 + 2 z at z = -1, 1
        array([-1.,  3.])
    """
    return _butterflies(c, lambda without, with_: (without - with_, without + with_))


def inverse_walsh(values: Float[np.ndarray, " corners"]) -> Float[np.ndarray, " sets"]:
    """Return c_S = E[values(z) chi_S(z)] for every set S, the inverse of `walsh`.

    Example:
        >>> inverse_walsh(np.array([-1.0, 3.0]))
        array([1., 2.])
    """
    return _butterflies(values, lambda minus, plus: ((plus + minus) / 2, (plus - minus) / 2))


def _butterflies(
    values: Float[np.ndarray, " corners"],
    pair: Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]],
) -> Float[np.ndarray, " corners"]:
    """Apply `pair` to the two halves of the values that differ in one bit, for each bit in turn.

    The result has the same length; `walsh` and its inverse are made of such steps.
    """
    c, size, step = np.array(values, float), len(values), 1
    while step < size:
        halves = c.reshape(-1, 2, step)
        c = np.stack(pair(halves[:, 0], halves[:, 1]), axis=1).reshape(size)
        step *= 2
    return c


def corners(k: int) -> Float[np.ndarray, "corners k"]:
    """Return the 2^k corners of the cube as a NumPy array, in the order of `every_sign(k)`."""
    return 2.0 * (np.arange(2**k)[:, None] >> np.arange(k) & 1) - 1.0


def hermite(n: int, z: Any) -> Any:
    """Return the normalised Hermite polynomial He_n(z)/sqrt(n!), by its recurrence."""
    before, here = 0.0, 1.0 + 0.0 * z
    for m in range(n):
        before, here = here, z * here - m * before
    return here / math.sqrt(math.factorial(n))


def name_of(support: Support) -> str:
    """Return a support written as in a formula, such as x1*x3.

    Example:
        >>> name_of((1, 3)), name_of(())
        ('x1*x3', '1')
    """
    return "*".join(f"x{i}" for i in support) or "1"


def _told(place: int, S: Support, c: float) -> str:
    size = f"{abs(c):g}"
    words = size if not S else name_of(S) if size == "1" else f"{size}*{name_of(S)}"
    if place == 0:
        return words if c >= 0 else f"-{words}"
    return f"{'+' if c >= 0 else '-'} {words}"


def _made(k: int, terms: Mapping[Support, float], gaussian: bool) -> Target:
    """Return the target with given terms; raise `InputError` if it ignores one of its k bits."""
    used = {i for S in terms for i in S}
    require(bool(used), WHERE, "a target that depends on some bit", "a constant")
    missing = [f"x{i}" for i in range(1, k + 1) if i not in used]
    require(
        not missing,
        WHERE,
        f"a target that depends on each of its bits x1 … x{k}",
        f"one that ignores {', '.join(missing)}",
        "Number the bits from 1 without gaps; `relevant` says where they stand in x.",
    )
    ordered = sorted(terms.items(), key=lambda term: (len(term[0]), term[0]))
    return Target(k=k, terms=tuple(ordered), gaussian=gaussian)


def _from_hermite(terms: Mapping[Support, float]) -> Target:
    largest = max(map(abs, terms.values()), default=0.0)
    kept = {S: c for S, c in terms.items() if abs(c) > NEGLIGIBLE * largest}
    k = max((i for S in kept for i in S), default=0)
    _require_bits(k)
    return _made(k, kept, True)


def _from_coefficients(given: Mapping[Any, Any], gaussian: bool) -> Target:
    terms: dict[Support, float] = {}
    for key, value in given.items():
        S = (key,) if isinstance(key, int) else key
        whole = isinstance(S, (tuple, list, frozenset, set)) and all(
            isinstance(i, int) and not isinstance(i, bool) and i >= 1 for i in S
        )
        require(whole, WHERE, "supports that list bits 1, 2, … such as (1, 3)", repr(key))
        S = tuple(sorted(S))
        distinct = gaussian or len(set(S)) == len(S)
        hint = "A sign squared is 1."
        require(distinct, WHERE, "supports that name a bit once", repr(key), hint)
        require(S not in terms, WHERE, "each support once", f"{name_of(S)} twice")
        number = isinstance(value, (int, float, np.floating, np.integer)) and math.isfinite(value)
        require(number, WHERE, f"a finite coefficient of {name_of(S)}", repr(value))
        terms[S] = float(value)
    kept = {S: c for S, c in terms.items() if c != 0}
    k = max((i for S in kept for i in S), default=0)
    _require_bits(k)
    return _made(k, kept, gaussian)


def _values_of_function(function: Callable[..., object]) -> Float[np.ndarray, " corners"]:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError) as error:
        raise InputError(WHERE, "a function of k named bits", error) from None
    plain = all(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)
    expected = "a function of k named bits, such as lambda a, b: a * b"
    require(plain and len(parameters) > 0, WHERE, expected, f"the arguments {parameters}")
    _require_bits(len(parameters))
    try:
        return _numbers([function(*map(float, z)) for z in corners(len(parameters))])
    except InputError:
        raise
    except Exception as error:
        got = f"{type(error).__name__}: {error}"
        raise InputError(WHERE, "a function that gives a number at every corner", got) from error


def _numbers(given: object) -> Float[np.ndarray, " corners"]:
    try:
        values = np.asarray(given, float)
    except (TypeError, ValueError):
        values = np.zeros(())
    expected = "a formula, a dictionary of supports, a truth table or a function of bits"
    require(values.ndim > 0, WHERE, expected, type(given).__name__)
    require(values.ndim == 1, WHERE, "one number a corner", f"an array of shape {values.shape}")
    return values


def _require_bits(k: int) -> None:
    require(k <= MOST_BITS, WHERE, f"at most {MOST_BITS} bits", k)


def _require_signs(gaussian: bool, what: str) -> None:
    hint = "Give a formula or a dictionary, or Boolean inputs."
    require(not gaussian, WHERE, "a polynomial for Gaussian inputs", what, hint)
