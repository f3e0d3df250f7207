r"""Break long formulas into lines: before a relation or a term, and after a comma.

Browsers break a line between two formulas and never inside one. So a long formula becomes several,
one after the other: "a = b + c" is "a", "= b" and "+ c", each of which stays whole. A formula is
broken inside parentheses only between the terms of a sum one level deep, or if the content is long.
Words in a formula become words beside it.
"""

import math
import re
from collections.abc import Sequence
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from markupsafe import Markup, escape

NAMESPACE = ' xmlns="http://www.w3.org/1998/Math/MathML"'
RELATIONS = frozenset("=<>≤≥≠≈≡∼≲≳≪≫∈∉⊂⊆→↦⇒⇔⟹⟸⟺∝")  # noqa: RUF001
SUMS = frozenset("+−-±∓")
COMMAS = frozenset(",;")
OPEN, CLOSE = frozenset("([{⟨⌈⌊"), frozenset(")]}⟩⌉⌋")
BARS = frozenset("|∣")  # noqa: RUF001
LARGE = frozenset("∑∏∫")
SCRIPTED = ("msub", "msup", "msubsup")
LEAST, SHORT, LONG = 4, 6, 11
"""Signs after which a line may begin with a relation, with a large sum, within parentheses too."""


def in_pieces(written: str, tex: str) -> Markup:
    """Return a formula that a browser can break: one `math` element, or several in a row.

    Args:
        written: the formula as MathML.
        tex: its source, which a formula in one piece has as alternative text.

    Example:
        >>> from latex2mathml.converter import convert
        >>> in_pieces(convert("abcd = f(x) + ghij"), "").count("<math ")
        3
    """
    math = ElementTree.fromstring(written.replace(NAMESPACE, ""))
    for each in list(math.iter("mrow")):
        _set_names_apart(each)
    begin = f'{NAMESPACE} display="{math.get("display", "inline")}">'
    row = math.find("mrow")
    pieces = [list(math)] if row is None or "<mtable" in written else _pieces(list(row))
    drawn = [
        escape(" ".join(re.split(r"\s", each[0].text or "")))
        if _is_prose(each[0])
        else f"<math {begin[1:]}<mrow>{''.join(map(_written, each))}</mrow></math>"
        for each in pieces
    ]
    if len(drawn) == 1 and not _is_prose(pieces[0][0]):
        return Markup(drawn[0].replace("<math ", f'<math alttext="{escape(tex)}" ', 1))
    return Markup(f'<span class="formula">{"".join(drawn)}</span>')


def held(drawn: Markup, before: str = "", after: str = "") -> Markup:
    """Keep signs on the line of a formula, before its first and after its last piece; return the
    HTML.

    Example:
        >>> held(Markup("<math >x</math>"), "", ";")
        Markup('<span class="held"><math >x</math>;</span>')
    """
    if not before and not after:
        return drawn
    apart = str(drawn).split("</math><math ")
    if len(apart) == 1:
        return Markup('<span class="held">{}{}{}</span>').format(before, drawn, after)
    outer = '<span class="formula">'
    first = Markup(apart[0].removeprefix(outer) + "</math>")
    last = Markup("<math " + apart[-1].removesuffix("</span>"))
    middle = Markup("").join(Markup(f"<math {each}</math>") for each in apart[1:-1])
    inner = (held(first, before), middle, held(last, "", after))
    return Markup(outer) + Markup("").join(inner) + Markup("</span>")


def _set_names_apart(row: Element) -> None:
    """Add a little space between a name such as "log" and its neighbours, unless these are
    signs.
    """
    children = list(row)
    for child in children:
        row.remove(child)
    for place, child in enumerate(children):
        beside = children[place - 1] if place else None
        signs = beside is None or "mo" in (beside.tag, child.tag)
        if beside is not None and not signs and (_is_name(child) or _is_name(beside)):
            row.append(Element("mspace", width="0.17em"))
        row.append(child)


def _is_prose(part: Element) -> bool:
    return part.tag == "mtext" and len((part.text or "").split()) > 1


def _is_name(part: Element) -> bool:
    base = part[0] if part.tag in SCRIPTED else part
    text = (base.text or "") if base.tag == "mi" else ""
    return len(text) > 1 and text.isascii() and text.isalpha()


def _pieces(children: Sequence[Element]) -> list[list[Element]]:
    """Divide the parts of a formula into pieces, each of which may begin a new line."""
    pieces: list[list[Element]] = [[]]
    for child, least in zip(children, _least(children), strict=True):
        beside_words = _is_prose(child) or any(map(_is_prose, pieces[-1]))
        if (beside_words and pieces[-1]) or len(pieces[-1]) >= least:
            pieces.append([])
            if child.tag == "mo":  # at the beginning of a piece it keeps the room around it
                child.set("form", "infix")
        pieces[-1].append(child)
    if len(pieces) > 1 and len(pieces[-1]) < 2 and not any(map(_is_prose, pieces[-1] + pieces[-2])):
        last = pieces.pop()
        pieces[-1] += last
    return pieces


def _least(children: Sequence[Element]) -> list[float]:
    """Return, for every part of a formula, how long the line before it must be for the part to
    begin a new one.
    """
    found: list[float] = []
    depth, inside, before = 0, False, ""
    for child in children:
        sign = _sign(child)
        term = sign in SUMS and before not in OPEN | RELATIONS | SUMS | COMMAS
        outside = depth == 0 and (sign in RELATIONS or before in COMMAS)
        if not inside and (outside or (term and depth <= 1)):
            found.append(LEAST)
        elif sign in LARGE and depth == 0:
            found.append(SHORT)
        elif term or sign in RELATIONS | LARGE or before in COMMAS:
            found.append(LONG)
        else:
            found.append(math.inf)
        depth += (sign in OPEN) - (sign in CLOSE)
        inside ^= sign in BARS
        before = sign
    return found


def _sign(part: Element) -> str:
    """Return the operator that a part consists of, ignoring its index or power; "" if it is no
    operator.
    """
    base = part[0] if part.tag in SCRIPTED else part
    return (base.text or "").strip() if base.tag == "mo" else ""


def _written(child: Element) -> str:
    return ElementTree.tostring(child, encoding="unicode")
