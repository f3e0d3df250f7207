"""TeX becomes MathML, whole; what cannot be read stays readable; differences are marked."""

import re

import pytest

from featlearn.report.formulas import compared, condition, formula, paragraphs, typeset, value
from featlearn.reproduction.catalogue import papers


def seen(text: object) -> str:
    """A text as it is seen: without tags, a bar where a line may be broken within a formula."""
    return re.sub(r"<[^>]*>", "", str(text).replace("</math><math", "</math>/<math")).replace(
        "\u2062", ""
    )


def all_formulas() -> list[str]:
    found: list[str] = []
    for paper in papers().values():
        for name in paper.statements:
            text = paper.statement(name).text
            for words in (text.printed, text.corrected):
                found += words.split("$")[1::2]
            found += [each.symbol for each in text.constants]
            values = [v for c in text.constants for v in (c.printed, c.proof, c.run)]
            found += [v for v in values if isinstance(v, str) and "\\" in v]
    return found


def test_every_formula_of_every_statement_is_typeset():
    unread = [tex for tex in all_formulas() if "<code" in formula(tex) or "\\" in _drawn(tex)]
    assert len(all_formulas()) > 800
    assert unread == []


def _drawn(tex: str) -> str:
    """What is seen: all but the alternative text."""
    return str(formula(tex)).partition("xmlns")[2]


def test_a_formula_that_cannot_be_read_is_shown_as_it_is_written():
    assert str(formula("x_")) == '<code class="tex">x_</code>'
    assert str(formula(r"\nonsense x")) == r'<code class="tex">\nonsense x</code>'
    assert "<script" not in str(formula(r"\text{<script>}"))


def test_words_around_formulas_are_escaped_and_lines_kept():
    first, second = paragraphs("For $d > 1$ & <b>all</b>:\n1. $x$")
    assert str(first).startswith("For <math ")
    assert str(first).endswith(" &amp; &lt;b&gt;all&lt;/b&gt;:")
    assert str(second).startswith("1. <math ")
    assert str(typeset("no formula")) == "no formula"


@pytest.mark.parametrize(
    ("text", "is_formula"),
    [
        (r"(A1)\quad d \ge C \max\{\log^2(n/\delta), \log(m/\delta)\}", True),
        (r"f_t \text{ convex}", True),
        ("the learner is rotation-invariant", False),
        ("four clusters, only the first layer is trained, by full-batch descent", False),
    ],
)
def test_hypotheses_are_formulas_or_words(text, is_formula):
    assert ("<math" in condition(text)) == is_formula


def test_only_what_differs_is_marked():
    printed, corrected = compared(
        "We have $x \\le 2$ for all $d$.", "We have $x \\le 4$ for all $d$."
    )
    assert str(printed[0]).count("<del>") == str(corrected[0]).count("<ins>") == 1
    assert "We have <del><math" in str(printed[0])
    assert "2</mn>" in str(printed[0]).partition("<del>")[2].partition("</del>")[0]


def test_a_correction_in_words_marks_the_formula_that_it_replaces():
    printed, corrected = compared(
        r"For any neuron $s = 1$ and $-w = \frac{a}{4}(P(X \le u) - P(X \le v))$, says the text.",
        r"The second with the opposite sign, $-w = \frac{a}{4}(P(X \le v) - P(X \le u))$.",
    )
    assert str(printed[0]).count("<del>") == 1
    assert "For any neuron <math" in str(printed[0])
    assert str(corrected[0]).count("<ins>") == 1


def test_values_are_numbers_formulas_or_words():
    assert str(value(None)) == "–"
    assert str(value(2.0)) == "2"
    assert str(value(5.8624317e10)) == "5.862 × 10<sup>10</sup>"
    assert str(value("fitted")) == "fitted"
    assert "<msqrt>" in str(value(r"\sqrt n/2"))


def test_a_long_formula_may_be_broken_where_a_writer_would():
    text = r"abcd = f(x, y) + \{a = b\}^2 + cdef, \|x + y\| \le 1"
    assert seen(formula(text)) == "abcd/=f(x,y)/+{a=b}2/+cdef,/‖x+y‖/≤1"
    assert seen(formula("a = b")) == "a=b"
    first = str(formula(text)).partition("</math><math")[2]
    assert '<mo form="infix">=</mo>' in first, "with the room of a sign between two terms"


def test_a_bracket_with_a_power_ends_what_it_began():
    assert "/≤" in seen(formula(r"(a + b)^n \le |c - d|^3 \le f(x) + g"))


def test_what_follows_a_formula_stays_on_its_line():
    held = str(typeset("As ($a < b$), and $abcd = f(x)$; then"))
    assert '<span class="held">(<math' in held
    assert "</math>),</span> and" in held
    assert held.count("</math>;</span>") == 1
    assert held.endswith(" then")


def test_names_of_functions_have_room_around_them():
    written = str(formula(r"9\log 7, C\log(n), \log^2 n"))
    assert written.count("<mspace") == 4
    assert seen(formula(r"A \setminus B")) == "A\N{SET MINUS}B"
    assert "<mo>\N{TILDE OPERATOR}</mo>" in str(formula(r"x \sim N"))


def test_words_in_a_formula_are_words():
    text = str(condition(r"g = 0, \text{ the mirrored start (see initialisation)}"))
    assert "</math> the mirrored start (see initialisation)" in text


def test_lines_of_the_source_are_joined_and_items_are_not():
    lines = paragraphs("The claim is\nthat it holds:\n1. here\n2. there.\nSo it\nis.")
    assert lines == ["The claim is that it holds:", "1. here", "2. there.", "So it is."]


def test_a_formula_in_parentheses_is_typeset_in_a_correction_too():
    _, corrected = compared("$v = 1$ (for $k$).", r"$v = 2$ ($|r| = k$), 3 (otherwise).")
    assert "$" not in "".join(map(str, corrected))
