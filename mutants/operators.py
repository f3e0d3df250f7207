"""The slips that people make, as changes of a syntax tree: what may stand instead of an expression.

boundary    < for <=           arithmetic  + for -, * for /        factor   a * b becomes a
direction   < for >            number      n for n + 1, 0.5 for 1  sign     -x becomes x
extreme     min for max        function    mean for sum            root     sqrt(x) becomes x
axis        0 for -1           stream      another purpose's name  slice    x[1:] becomes x
logic       and for or         branch      if for else             exponent x**2 becomes x**3
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS: dict[type[ast.cmpop], tuple[tuple[str, str], ...]] = {
    ast.Lt: (("boundary", "<="), ("direction", ">")),
    ast.LtE: (("boundary", "<"), ("direction", ">=")),
    ast.Gt: (("boundary", ">="), ("direction", "<")),
    ast.GtE: (("boundary", ">"), ("direction", "<=")),
    ast.Eq: (("direction", "!="),),
    ast.NotEq: (("direction", "=="),),
}
ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "-",
    ast.Sub: "+",
    ast.Mult: "/",
    ast.Div: "*",
}
SWAPPED = {
    "min": "max",
    "minimum": "maximum",
    "amin": "amax",
    "argmin": "argmax",
    "floor": "ceil",
    "any": "all",
    "sum": "mean",
    "cos": "sin",
    "log1p": "log",
    "expm1": "exp",
    "ones": "zeros",
    "ones_like": "zeros_like",
    "sf": "cdf",
    "isf": "ppf",
}
SWAPPED |= {after: before for before, after in SWAPPED.items()}
EXTREMES = ("min", "max", "minimum", "maximum", "amin", "amax", "argmin", "argmax")
DROPPED = ("sqrt", "abs", "absolute", "square", "sign", "relu", "exp", "log")
"""Functions of one argument that may be forgotten."""
PATHS = ("path", "folder", "root", "file", "here", "target", "parent")
PURPOSES = ("init", "data", "test", "sample")


@dataclass(frozen=True)
class Change:
    """One change of an expression, by its two ends, or of the operator between two expressions."""

    kind: str
    new: str
    first: ast.expr | None = None
    last: ast.expr | None = None
    between: bool = False
    """Whether the change is of the text between `first` and `last`."""

    def span(self, source: str, starts: list[int], node: ast.expr) -> tuple[int, int]:
        """Where the text that changes begins and ends."""
        first, last = self.first or node, self.last or node
        if not self.between:
            return _start(source, starts, first), _end(source, starts, last)
        left, right = _end(source, starts, first), _start(source, starts, last)
        text = source[left:right]
        for symbol in SYMBOLS:
            if symbol in text:
                left += text.index(symbol)
                return left, left + len(symbol)
        raise AssertionError(f"no operator in {text!r}")


SYMBOLS = ("//", "**", "<=", ">=", "==", "!=", "<", ">", "+", "-", "*", "/", "and", "or")


def changes(node: ast.expr) -> Iterator[Change]:
    """Every change of one expression itself; the parts of it are asked on their own."""
    text = ast.unparse
    match node:
        case ast.Compare(left=left, ops=operators, comparators=others):
            for first, operator, last in zip((left, *others), operators, others, strict=False):
                for kind, new in COMPARISONS.get(type(operator), ()):
                    yield Change(kind, new, first, last, between=True)
        case ast.BinOp(left=left, op=operator, right=right):
            if not any(map(_is_text, (left, right))) and not _is_path(left):
                yield from _arithmetic(left, operator, right)
        case ast.UnaryOp(op=ast.USub(), operand=operand) if not isinstance(operand, ast.Constant):
            yield Change("sign", f"({text(operand)})")
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield Change("logic", f"({text(operand)})")
        case ast.BoolOp(op=operator, values=values):
            new = "or" if isinstance(operator, ast.And) else "and"
            yield Change("logic", new, values[0], values[1], between=True)
        case ast.IfExp(test=test, body=body, orelse=otherwise):
            yield Change("branch", f"({text(otherwise)} if {text(test)} else {text(body)})")
        case ast.Constant(value=bool(value)):
            yield Change("logic", str(not value))
        case ast.Constant(value=int() | float() as value):
            yield from _number(value)
        case ast.Constant(value=str(value)) if value in PURPOSES:
            yield Change("stream", repr(PURPOSES[PURPOSES.index(value) - 1]))
        case ast.Constant(value="left" | "right" as side):
            yield Change("boundary", repr("left" if side == "right" else "right"))
        case ast.Call(func=function, args=arguments, keywords=keywords):
            yield from _call(function, arguments, keywords)
        case ast.Subscript(value=value, slice=ast.Slice()):
            yield Change("slice", text(value))


def _arithmetic(left: ast.expr, operator: ast.operator, right: ast.expr) -> Iterator[Change]:
    symbol = ARITHMETIC.get(type(operator))
    if symbol:
        yield Change("arithmetic", symbol, left, right, between=True)
    if isinstance(operator, ast.Mult | ast.Div):
        yield Change("factor", f"({ast.unparse(left)})")
    if isinstance(operator, ast.Mult):
        yield Change("factor", f"({ast.unparse(right)})")
    if isinstance(operator, ast.Add | ast.Sub) and isinstance(right, ast.Constant):
        yield Change("number", f"({ast.unparse(left)})")
    if isinstance(operator, ast.FloorDiv):
        yield Change("number", f"-(-({ast.unparse(left)}) // ({ast.unparse(right)}))")


def _number(value: int | float) -> Iterator[Change]:
    if isinstance(value, int):
        yield Change("number", str(value + 1))
        if value > 1:
            yield Change("number", str(value - 1))
        return
    yield Change("number", "1.0" if value == 0.5 else "0.5" if value == 0.0 else repr(value * 2))
    if value not in (0.0, 0.5):
        yield Change("number", repr(value * 1.1))


def _call(
    function: ast.expr, arguments: list[ast.expr], keywords: list[ast.keyword]
) -> Iterator[Change]:
    name = ast.unparse(function).rsplit(".", 1)[-1]
    if name in SWAPPED and (name not in ("min", "max") or arguments):
        kind = "extreme" if name in EXTREMES else "function"
        new = ast.unparse(function)[: -len(name)] + SWAPPED[name]
        if new != "mean":  # no builtin
            yield Change(kind, new, function, function)
    if name in DROPPED and len(arguments) == 1 and not keywords:
        root = "root" if name == "sqrt" else "function"
        yield Change(root, f"({ast.unparse(arguments[0])})")
    for keyword in keywords:
        value = keyword.value
        if keyword.arg == "axis" and _integer(value) is not None:
            yield Change("axis", "-1" if _integer(value) == 0 else "0", value, value)


def _integer(node: ast.expr) -> int | None:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return value if isinstance(value, int) else None


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _is_path(node: ast.expr) -> bool:
    """Whether a division is one of paths, by the name on its left."""
    return ast.unparse(node).lower().endswith(PATHS)


def _start(source: str, starts: list[int], node: ast.expr) -> int:
    return _offset(source, starts, node.lineno, node.col_offset)


def _end(source: str, starts: list[int], node: ast.expr) -> int:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return _offset(source, starts, node.end_lineno, node.end_col_offset)


def _offset(source: str, starts: list[int], line: int, column: int) -> int:
    """Columns of a syntax tree count bytes."""
    start = starts[line - 1]
    text = source[start : starts[line]] if line < len(starts) else source[start:]
    return start + len(text.encode()[:column].decode())
