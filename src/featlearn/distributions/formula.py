"""Formulas of bits such as x1 + 0.5*x1*x2 - sign(x1 + x2), parsed without executing any code.

A formula may contain numbers, the bits x1, x2, … (or z1, z2, …), + - * /, powers with whole
exponents and sign(…). It is turned into its values at the corners of the cube {-1,1}^k or, if it
is a polynomial, into Hermite coefficients.
"""

import ast
import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
from jaxtyping import Float

from featlearn._check import InputError, require
from featlearn._parse import PARSING

LONGEST = 2000
"""Characters of a formula."""
HIGHEST = 20
"""Largest power."""
MOST_TERMS = 10_000
"""Of a polynomial."""
BIT = re.compile(r"[xz]([0-9]{1,3})")
EXAMPLE = "a formula of bits such as 'x1 + x1*x2'"

Monomials = dict[tuple[int, ...], float]
"""Exponents of bits 1, 2, … -> coefficient."""


def values_of_formula(text: str, most_bits: int, where: str) -> Float[np.ndarray, " corners"]:
    """Return the values of a formula at all corners of the cube {-1,1}^k of its k bits.

    Bit 1 changes fastest, and -1 comes before +1.

    Example:
        >>> values_of_formula("x1 - 2*x2", 20, "target")
        array([ 1.,  3., -3., -1.])
    """
    tree, k = _read(text, where)
    require(k > 0, where, "a target that depends on some bit", f"the constant {text!r}")
    require(k <= most_bits, where, f"at most {most_bits} bits", k)
    number = np.arange(2**k)

    def bit(i: int) -> Float[np.ndarray, " corners"]:
        return 2.0 * (number >> (i - 1) & 1) - 1.0

    with np.errstate(all="ignore"):
        value = _walk(tree, bit, np.sign, text, where)
    return np.broadcast_to(np.asarray(value, float), (2**k,)).copy()


def hermite_of_formula(text: str, where: str) -> dict[tuple[int, ...], float]:
    """Return the Hermite coefficients of a polynomial of Gaussian bits, by support.

    A support such as (1, 1, 2) repeats a bit: it is the product of normalised He_2(x1) and
    He_1(x2).

    Example:
        >>> hermite_of_formula("x1**2", "target")  # 1 + He_2, and He_2/sqrt 2 has norm 1
        {(): 1.0, (1, 1): 1.4142135623730951}
    """
    tree, k = _read(text, where)

    def bit(i: int) -> "_Polynomial":
        return _Polynomial({tuple(int(j == i) for j in range(1, k + 1)): 1.0}, where)

    def sign(value: Any) -> Any:
        raise InputError(where, "a polynomial for Gaussian inputs", f"sign in {text!r}")

    found = _walk(tree, bit, sign, text, where)
    terms = found.terms if isinstance(found, _Polynomial) else {(0,) * k: float(found)}
    total: dict[tuple[int, ...], float] = {}
    for exponents, c in terms.items():
        parts: dict[tuple[int, ...], float] = {(): c}
        for i, n in enumerate(exponents, start=1):
            parts = {
                (*S, *(i,) * m): value * weight
                for S, value in parts.items()
                for m, weight in _in_hermite(n).items()
            }
        for S, value in parts.items():
            total[S] = total.get(S, 0.0) + value
    return dict(sorted(total.items(), key=lambda term: (len(term[0]), term[0])))


def _in_hermite(n: int) -> dict[int, float]:
    """Return the coefficients of x^n in normalised Hermite polynomials, by their degree.

    The expansion is x^n = sum_m n!/(2^m m! (n - 2m)!) He_(n-2m), and He_j is sqrt(j!) times a
    polynomial of norm 1.
    """
    return {
        n - 2 * m: math.factorial(n)
        / (2**m * math.factorial(m) * math.factorial(n - 2 * m))
        * math.sqrt(math.factorial(n - 2 * m))
        for m in range(n // 2 + 1)
    }


class _Polynomial:
    """A polynomial in the bits as a sum of monomials; formulas are evaluated with such values."""

    def __init__(self, terms: Monomials, where: str) -> None:
        require(len(terms) <= MOST_TERMS, where, f"at most {MOST_TERMS} monomials", len(terms))
        self.terms, self.where = terms, where

    def __add__(self, other: "_Polynomial | float") -> "_Polynomial":
        total = dict(self.terms)
        for exponents, c in self._as(other).terms.items():
            total[exponents] = total.get(exponents, 0.0) + c
        return _Polynomial(total, self.where)

    def __mul__(self, other: "_Polynomial | float") -> "_Polynomial":
        total: Monomials = {}
        for e, c in self.terms.items():
            for f, b in self._as(other).terms.items():
                both = tuple(i + j for i, j in zip(e, f, strict=True))
                total[both] = total.get(both, 0.0) + c * b
        return _Polynomial(total, self.where)

    def __pow__(self, n: int) -> "_Polynomial":
        product = self._as(1.0)
        for _ in range(n):
            product = product * self
        return product

    def __neg__(self) -> "_Polynomial":
        return self * -1.0

    def __sub__(self, other: "_Polynomial | float") -> "_Polynomial":
        return self + -self._as(other)

    def __rsub__(self, other: "_Polynomial | float") -> "_Polynomial":
        return -self + other

    def __truediv__(self, other: "_Polynomial | float") -> "_Polynomial":
        number = not isinstance(other, _Polynomial)
        require(number, self.where, "division by numbers for Gaussian inputs", "one by bits")
        return self * (1.0 / other)

    __radd__, __rmul__ = __add__, __mul__

    def __rtruediv__(self, other: "_Polynomial | float") -> "_Polynomial":
        raise InputError(self.where, "division by numbers for Gaussian inputs", "one by bits")

    def _as(self, other: "_Polynomial | float") -> "_Polynomial":
        if isinstance(other, _Polynomial):
            return other
        return _Polynomial({tuple(0 for _ in next(iter(self.terms))): float(other)}, self.where)


def _read(text: str, where: str) -> tuple[ast.expr, int]:
    """Return the syntax tree of a formula and the largest number of a bit in the formula."""
    require(len(text) <= LONGEST, where, f"at most {LONGEST} characters", len(text))
    try:
        with PARSING:
            tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        at = f" (character {error.offset})" if isinstance(error, SyntaxError) else ""
        raise InputError(where, EXAMPLE, f"{text!r}{at}") from None
    bits = [0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id != "sign":
            found = BIT.fullmatch(node.id)
            require(found is not None, where, "bits called x1, x2, …", repr(node.id))
            assert found is not None
            bits.append(int(found[1]))
            require(bits[-1] >= 1, where, "bits counted from 1", repr(node.id))
    return tree, max(bits)


def _walk(
    node: ast.AST, bit: Callable[[int], Any], sign: Callable[[Any], Any], text: str, where: str
) -> Any:
    def value(node: ast.AST) -> Any:
        match node:
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                return float(number)
            case ast.Name(id=name) if name != "sign":
                return bit(int(name[1:]))
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return -value(inner)
            case ast.UnaryOp(op=ast.UAdd(), operand=inner):
                return value(inner)
            case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int() as n)):
                require(0 <= n <= HIGHEST, where, f"powers from 0 to {HIGHEST}", n)
                return value(left) ** n
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return value(left) + value(right)
            case ast.BinOp(left=left, op=ast.Sub(), right=right):
                return value(left) - value(right)
            case ast.BinOp(left=left, op=ast.Mult(), right=right):
                return value(left) * value(right)
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                below = value(right)
                zero = isinstance(below, float) and below == 0
                require(not zero, where, "no division by 0", repr(text))
                return value(left) / below
            case ast.Call(func=ast.Name(id="sign"), args=[inner], keywords=[]):
                return sign(value(inner))
        part = ast.get_source_segment(text.strip(), node) if hasattr(node, "lineno") else None
        expected = "numbers, bits, + - * / ** and sign(…)"
        raise InputError(where, expected, repr(part or text))

    try:
        return value(node)
    except (RecursionError, OverflowError):
        raise InputError(where, "a formula that can be computed", repr(text[:80])) from None
