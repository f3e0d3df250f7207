"""TeX becomes MathML, whole; what cannot be read stays readable; differences are marked."""

import pytest

from featlearn.report.formulas import compared, condition, formula, paragraphs, typeset, value
from featlearn.reproduction.catalogue import papers


def all_formulas() -> list[str]:
    found: list[str] = []
    for paper in papers().values():
        for name in paper.statements:
            text = paper.statement(name).text
            for words in (text.printed, text.corrected):
                found += words.split("$")[1::2]
            found += [each.symbol for each in text.constants]
    return found


def test_every_formula_of_every_statement_is_typeset():
    unread = [tex for tex in all_formulas() if "<math" not in formula(tex) or "\\" in _drawn(tex)]
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
