r"""Turn the TeX formulas of statements into MathML, which browsers typeset without script or
request.

Texts have formulas between dollar signs. A formula that cannot be converted is shown as its source,
in a code element, so that nothing is lost. Between two versions of a text the words and formulas
that differ are marked.
"""

import difflib
import functools
import re
from collections.abc import Sequence
from xml.etree import ElementTree

from markupsafe import Markup, escape

from featlearn.report.breaks import held, in_pieces

_MATHML = "http://www.w3.org/1998/Math/MathML"
_FORMULA = re.compile(r"\$([^$]+)\$")
_TOKEN = re.compile(r"(?:[^\s$]*\$[^$]+\$)+[^\s$]*|\S+")
_WITH_WORDS = re.compile(r"\\(?:text|mathrm|operatorname)\s*\{[^{}]*\}|[_^]\{[^{}]*\}|\\[A-Za-z]+")
_WORD = re.compile(r"[A-Za-z]{3,}")
_TIGHT = re.compile(r"<mo((?: [a-z]+=\"[a-z]+\")*>(?:&#x0007C;|&#x02016;|&#x0002F;|&#x02032;)<)")
"""Bars, slashes and primes, around which no room is left."""
_BEFORE, _AFTER = re.compile(r"[(\[“]+$"), re.compile(r"[)\].,;:!?’”]+")
"""What stays on the line of the formula that it stands beside."""
_ENDED, _ITEM = re.compile(r"[.:;!?][)”\"’\]$]*$"), re.compile(r"\(?\w{1,2}[.)] ")
"""How a line ends that is followed by a new one, and how an item of a list begins."""
_USUAL = {"<mi>&#x029F5;</mi>": "<mo>&#x02216;</mo>", "<mi>&#x0007E;</mi>": "<mo>&#x0223C;</mo>"}
"""For the library's signs of a difference of sets and of a law the usual ones, with their room."""
_SIGNS = (("<=", r"\le "), (">=", r"\ge "))

ALIKE, LIKE = 0.5, 0.7
"""From which likeness on a correction is the same text, or a formula the same formula, mended."""


@functools.lru_cache(maxsize=4096)
def formula(tex: str, *, block: bool = False) -> Markup:
    r"""Return a formula as MathML, or as its source if it cannot be converted.

    Example:
        >>> formula(r"\sqrt d")[:6], formula(r"x_")
        (Markup('<math '), Markup('<code class="tex">x_</code>'))
    """
    from latex2mathml.converter import convert

    try:
        written = convert(tex, display="block" if block else "inline")
        safe = _is_mathml(written)
    except Exception:  # whatever the library raises, a reader sees the source
        safe = False
    if not safe:
        return Markup('<code class="tex">{}</code>').format(tex)
    for theirs, usual in _USUAL.items():
        written = written.replace(theirs, usual)
    return in_pieces(_TIGHT.sub(r'<mo lspace="0" rspace="0"\1', written), tex)


def _is_mathml(written: str) -> bool:
    """Return whether a text is MathML only: the library copies unknown words, tags and commands
    unchanged.
    """
    tags = {each.tag for each in ElementTree.fromstring(written).iter()}
    return "\\" not in written and all(tag.startswith(f"{{{_MATHML}}}m") for tag in tags)


def typeset(text: str) -> Markup:
    """Return a text with its formulas typeset; everything else is escaped.

    Example:
        >>> typeset("a < b")
        Markup('a &lt; b')
    """
    found = Markup("")
    pieces = _FORMULA.split(text)
    for place in range(0, len(pieces) - 1, 2):
        before = _BEFORE.search(pieces[place])
        after = _AFTER.match(pieces[place + 2])
        opening, closing = before[0] if before else "", after[0] if after else ""
        pieces[place + 2] = pieces[place + 2][len(closing) :]
        found += escape(pieces[place].removesuffix(opening))
        found += held(formula(pieces[place + 1]), opening, closing)
    return found + escape(pieces[-1])


def paragraphs(text: str) -> list[Markup]:
    r"""Return the lines of a text, each typeset; a formula may continue on the next line of the
    source.

    Example:
        >>> len(paragraphs("Let $p =\n 40$.\nThen")), paragraphs("Let $p =\n 40$ be.")[0][:10]
        (2, Markup('Let <math '))
    """
    return [typeset(line) for line in _lines(text)]


def _lines(text: str) -> list[str]:
    """Return the lines of a text after joining lines that end within a sentence or a list item."""
    whole = _FORMULA.sub(lambda found: " ".join(found[0].split()), text)
    lines: list[str] = []
    for each in (line.strip() for line in whole.splitlines()):
        if lines and each and not _ENDED.search(lines[-1]) and not _ITEM.match(each):
            lines[-1] += f" {each}"
        elif each:
            lines.append(each)
    return lines


def condition(text: str) -> Markup:
    r"""Typeset a hypothesis, which is one formula, or words if at least two words are next to each
    other.

    Example:
        >>> condition("only the first layer is trained")
        Markup('only the first layer is trained')
        >>> condition(r"d \ge C \log n")[:6]
        Markup('<math ')
    """
    if "$" in text or is_prose(text):
        return typeset(text)
    for sign, tex in _SIGNS:
        text = text.replace(sign, tex)
    return formula(text)


def is_prose(text: str) -> bool:
    r"""Return whether a text is prose: it has two adjacent words outside of TeX's commands.

    Example:
        >>> is_prose("the network is signal-heavy"), is_prose(r"X \in G_{data}, \text{for all } d")
        (True, False)
    """
    return len(_WORD.findall(_WITH_WORDS.sub(" ", text))) >= 2


def value(found: float | str | None) -> Markup:
    r"""Return the value of a constant: a number, a formula or words; a dash if there is none.

    Example:
        >>> value(None), value(0.25), value("any")
        (Markup('–'), Markup('0.25'), Markup('any'))
    """
    if found is None:
        return Markup("–")
    if isinstance(found, str):
        return Markup(escape(found)) if found.isalpha() and len(found) > 2 else condition(found)
    return number(float(found))


def number(found: float, digits: int = 4) -> Markup:
    """Return a number with its power of ten as a superscript.

    Example:
        >>> number(58624317203.6), number(0.5)
        (Markup('5.862 × 10<sup>10</sup>'), Markup('0.5'))
    """
    mantissa, _, power = f"{found:.{digits}g}".partition("e")
    return Markup(f"{mantissa} × 10<sup>{int(power)}</sup>") if power else Markup(mantissa)


def compared(printed: str, corrected: str) -> tuple[list[Markup], list[Markup]]:
    """Return two versions of a text, line by line, with the differences marked as <del> and <ins>.

    Example:
        >>> compared("at most 3", "at most 4")[1]
        [Markup('at most <ins>4</ins>')]
    """
    first, second = _tokens(printed), _tokens(corrected)
    matcher = difflib.SequenceMatcher(None, first, second, autojunk=False)
    marked: tuple[set[int], set[int]] = (set(), set())
    if matcher.ratio() >= ALIKE:
        for kind, a, b, c, d in matcher.get_opcodes():
            if kind != "equal":
                marked[0].update(range(a, b))
                marked[1].update(range(c, d))
    else:  # a correction in words: only formulas that stand in both, and differ, are marked
        for old, new in _pair_rewritten_formulas(first, second):
            marked[0].add(old)
            marked[1].add(new)
    return _marked(first, marked[0], "del"), _marked(second, marked[1], "ins")


def _pair_rewritten_formulas(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    """Pair each formula that only the second text has with the most similar formula of the first
    text.

    A pair holds the position in the first text and the position in the second. A formula that is
    not similar to any is left out.
    """
    old = [(place, each) for place, each in enumerate(first) if "$" in each]
    found = []
    for place, token in enumerate(second):
        if "$" not in token or token in first:
            continue
        like = [(difflib.SequenceMatcher(None, each, token).ratio(), at) for at, each in old]
        best = max(like, default=(0.0, 0))
        if best[0] >= LIKE:
            found.append((best[1], place))
    return found


def _tokens(text: str) -> list[str]:
    """Return the tokens of a text: words and formulas, with their punctuation, and ends of
    lines.
    """
    lines = [_TOKEN.findall(line) for line in _lines(text)]
    return [token for line in lines for token in (*line, "\n")][:-1]


def _marked(tokens: Sequence[str], changed: set[int], tag: str) -> list[Markup]:
    lines: list[Markup] = []
    pieces: list[Markup] = []
    run: list[str] = []

    def close() -> None:
        if run:
            pieces.append(Markup(f"<{tag}>") + typeset(" ".join(run)) + Markup(f"</{tag}>"))
            run.clear()

    for place, token in enumerate((*tokens, "\n")):
        if place in changed and token != "\n":
            run.append(token)
            continue
        close()
        if token == "\n":
            lines.append(Markup(" ").join(pieces))
            pieces = []
        else:
            pieces.append(typeset(token))
    return [line for line in lines if line]
