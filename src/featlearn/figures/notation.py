r"""Turn the plain notation of hypotheses and axis labels into mathematical signs.

Names in code are ASCII ("omega sqrt(md) <= 1/C"). A reader sees Greek letters, roots, superscripts
and subscripts. The result still uses ``_{…}`` and ``^{…}``, which each renderer draws in its own
way.
"""

import re

_NAMES = (
    "alpha beta gamma delta epsilon eps zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi "
    "chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"
)
GREEK = dict(zip(_NAMES.split(), "αβγδεεζηθκλμνξπρστφχψωΓΔΘΛΞΠΣΦΨΩ", strict=True))
_SIGNS = {
    "<=": "≤",
    ">=": "≥",
    "!=": "≠",
    "+-": "±",
    "||": "‖",
    "->": "→",
    "O~(": "Õ(",
}
_SIGN = re.compile("|".join(map(re.escape, _SIGNS)))
_LETTER = re.compile(rf"(?<![A-Za-z])({'|'.join(GREEK)})(~?)(\d*)(?![A-Za-z])")
_NUMBERED = re.compile(r"(?<![A-Za-z])([α-ωΑ-Ω])(\d+)(?![\d.]|[A-Za-z])")
_POWER = re.compile(r"(?<![\w.])(-?\d+(?:\.\d+)?)[eE]([+-]?)0*([1-9]\d*)(?![\w])(?!\.\d)")
_PRODUCT = re.compile(r"<(\w[^<>,]{0,11}), (\w[^<>,]{0,11})>")
_DOT = re.compile(r"(?<=[}])\.(?=[a-zα-ω])")
_ROOT = re.compile(r"(?<![A-Za-z])sqrt(?=\()|(?<![A-Za-z])sqrt (?=[\w(αβγδεζηθκλμνξπρστφχψω])")
_SUM = re.compile(r"(?<![A-Za-z])sum(?=_)")
_LOWERED = re.compile(
    r"(?<![A-Za-z0-9_{])([A-Za-zα-ωΑ-Ω∑]|log|max|min)_([A-Za-z0-9α-ωΑ-Ω]+)(?![\w(])"
)
_INDEXED = re.compile(r"(?<=\))_([a-z0-9])(?![\w(])")
_RAISED = re.compile(
    r"\^(\((?:[^()]|\([^()]*\))*\)|[-−]?\d*\.?\d+|[-−]?[A-Za-zα-ω](?:\([^()]*\))?)(?![A-Za-z])"
)


def readable(text: str) -> str:
    """Return the text with Greek letters, signs, roots, subscripts and superscripts; words stay as
    they are.

    Example:
        >>> readable("A6: omega sqrt(md) <= 1/C")
        'A6: ω √(md) ≤ 1/C'
        >>> readable("sum_A sqrt(d) x_j, d^(1/4), mu1, sigma_xi, test_accuracy")
        '∑_{A} √(d) x_{j}, d^{1/4}, μ_{1}, σ_{ξ}, test_accuracy'
        >>> readable("<w, mu>/||w|| >= 2.9e-14, w_perp.mu, ητ1, O~(d)")
        '⟨w, μ⟩/‖w‖ ≥ 2.9 × 10^{−14}, w_{⊥}·μ, ητ_{1}, Õ(d)'
    """
    text = _SIGN.sub(lambda found: _SIGNS[found[0]], _PRODUCT.sub(r"⟨\1, \2⟩", text))
    text = _POWER.sub(_power, text)
    text = _NUMBERED.sub(r"\1_{\2}", _LETTER.sub(_letter, text))
    text = _SUM.sub("∑", _ROOT.sub("√", text))
    text = _DOT.sub("·", _LOWERED.sub(_lowered, text))
    return _RAISED.sub(_raised, _INDEXED.sub(r"_{\1}", text))


def _letter(found: re.Match[str]) -> str:
    name, tilde, number = found.groups()
    letter = GREEK[name] + ("\u0303" if tilde else "")
    return f"{letter}_{{{number}}}" if number else letter


def _lowered(found: re.Match[str]) -> str:
    letter, low = found.groups()
    return f"{letter}_{{{'⊥' if low == 'perp' else low}}}"


def _power(found: re.Match[str]) -> str:
    """Return a number with its power of ten as a superscript; 1e-10 becomes 10^{-10}."""
    mantissa, sign, power = found.groups()
    sign = "−" if sign == "-" else ""
    factor = {"1": "", "-1": "−"}.get(mantissa, f"{mantissa} × ")
    return f"{factor}10^{{{sign}{power}}}"


def _raised(found: re.Match[str]) -> str:
    return f"^{{{_RAISED.sub(_raised, _bare(found[1]))}}}"


def _bare(raised: str) -> str:
    """Return the text of a superscript without the parentheses around all of it."""
    return raised[1:-1] if raised.startswith("(") else raised
