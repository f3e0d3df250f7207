"""Slips: one small, plausible change of one module each, generated from its syntax tree.

A slip is text: where it stands, what is there and what stands there instead. It is named by its
function, the line and the new line, not by the line's number, so that an edit elsewhere in the
module neither renames it nor changes whether it is chosen.
"""

import ast
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from mutants.operators import Change, changes

SKIPPED_CALLS = ("require", "require_one_of", "require_positive", "InputError")
"""Calls of which only the condition is changed: their other arguments are words of a message."""
NO_NUMBER = ("strict", "check_finite", "overwrite_a", "parents", "exist_ok", "missing_ok")
"""Arguments that change no number: a check of our own lengths, or speed."""
PLAIN_TYPES = ("dict", "list", "tuple", "set", "frozenset", "type", "Any", "ClassVar", "Literal")
SHAPES = ("Callable", "Sequence", "Mapping", "Iterator", "Float", "Int", "UInt32", "Key", "Bool")


@dataclass(frozen=True)
class Slip:
    """Replace the text from `start` to `end` of a module by `new`."""

    path: str
    """The module, relative to src/featlearn."""
    function: str
    """The qualified name of the function or class around it; empty at the top of the module."""
    kind: str
    """What sort of slip it is, such as "boundary"; "hand" for those of slips.toml."""
    line: int
    """The first line that it changes."""
    last_line: int
    start: int
    end: int
    new: str
    before: str
    """The lines that it touches, as they are, without indentation."""
    after: str
    """The same lines with the slip."""
    place: int = 0
    """Which one it is, of several with the same words in the same function."""
    why: str = ""

    @cached_property
    def name(self) -> str:
        """A digest of all but the place in the file."""
        parts = (self.path, self.function, self.kind, self.before, self.after, str(self.place))
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]

    def applied(self, source: str) -> str:
        """The text of the module with the slip."""
        return source[: self.start] + self.new + source[self.end :]


def generated(path: str, source: str) -> list[Slip]:
    """Every slip that the operators find in a module.

    Example:
        >>> [(s.kind, s.after) for s in generated("a.py", "def f(n):\\n    return n < 3\\n")]
        [('boundary', 'return n <= 3'), ('direction', 'return n > 3'), ('number', 'return n < 4')]
    """
    starts = _line_starts(source)
    found: list[Slip] = []
    seen: dict[tuple[str, str, str, str], int] = {}
    for node, function in _expressions(ast.parse(source)):
        for change in changes(node):
            slip = _slip(path, source, starts, function, node, change)
            words = (function, change.kind, slip.before, slip.after)
            place = seen[words] = seen.get(words, -1) + 1
            found.append(replace(slip, place=place))
    return found


def by_hand(path: str, source: str, old: str, new: str, why: str) -> Slip | None:
    """The slip that replaces the one occurrence of `old`; None if there is none, or several."""
    if source.count(old) != 1:
        return None
    start = source.index(old)
    end = start + len(old)
    line = source.count("\n", 0, start) + 1
    before, after = _lines(source, start, end, new)
    return Slip(
        path=path,
        function=_around(ast.parse(source), line),
        kind="hand",
        line=line,
        last_line=line + old.count("\n"),
        start=start,
        end=end,
        new=new,
        before=before,
        after=after,
        why=why,
    )


def _slip(
    path: str, source: str, starts: list[int], function: str, node: ast.expr, change: Change
) -> Slip:
    start, end = change.span(source, starts, node)
    before, after = _lines(source, start, end, change.new)
    return Slip(
        path=path,
        function=function,
        kind=change.kind,
        line=source.count("\n", 0, start) + 1,
        last_line=source.count("\n", 0, end) + 1,
        start=start,
        end=end,
        new=change.new,
        before=before,
        after=after,
    )


def _lines(source: str, start: int, end: int, new: str) -> tuple[str, str]:
    """The whole lines around a change, as they are and as they become, without indentation."""
    first = source.rfind("\n", 0, start) + 1
    last = source.find("\n", end)
    last = len(source) if last < 0 else last
    before = source[first:last]
    after = source[first:start] + new + source[end:last]
    return _one_line(before), _one_line(after)


def _one_line(text: str) -> str:
    return " ".join(line.strip() for line in text.splitlines())


def _line_starts(source: str) -> list[int]:
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def _around(tree: ast.Module, line: int) -> str:
    """The qualified name of what is defined around a line."""
    name, body = "", tree.body
    while True:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.lineno <= line <= (
                node.end_lineno or 0
            ):
                name, body = f"{name}.{node.name}".strip("."), node.body
                break
        else:
            return name


def _expressions(tree: ast.Module) -> Iterator[tuple[ast.expr, str]]:
    """Every expression that computes something, with the function around it.

    Left out: docstrings and other bare strings, annotations, decorators, f-strings, and the words
    of a refusal.
    """
    for statement in tree.body:
        yield from _walk(statement, "")


def _walk(node: ast.AST, function: str) -> Iterator[tuple[ast.expr, str]]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        inside = f"{function}.{node.name}".strip(".")
        if isinstance(node, ast.FunctionDef):
            for default in (*node.args.defaults, *node.args.kw_defaults):
                if default is not None:
                    yield from _walk(default, inside)
        for statement in node.body:
            yield from _walk(statement, inside)
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # a docstring
    if isinstance(node, ast.JoinedStr | ast.Import | ast.ImportFrom | ast.Raise):
        return
    if isinstance(node, ast.AnnAssign):
        if node.value is not None:
            yield from _walk(node.value, function)
        return
    if isinstance(node, ast.Call) and _called(node) in SKIPPED_CALLS:
        for argument in node.args[:1]:
            yield from _walk(argument, function)
        return
    if isinstance(node, ast.Subscript) and _is_type(node):
        return
    if isinstance(node, ast.keyword) and node.arg in NO_NUMBER:
        return
    if isinstance(node, ast.expr):
        yield node, function
    for child in ast.iter_child_nodes(node):
        yield from _walk(child, function)


def _called(node: ast.Call) -> str:
    return ast.unparse(node.func).rsplit(".", 1)[-1]


def _is_type(node: ast.Subscript) -> bool:
    """Whether a subscript is a type such as `dict[str, int]`, and no element of an array."""
    return ast.unparse(node.value).rsplit(".", 1)[-1] in TYPES


TYPES = frozenset({*PLAIN_TYPES, *SHAPES})
