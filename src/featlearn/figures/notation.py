r"""Mathematics in labels: the plain notation of hypotheses and axes, with the signs that it means.

Names in code are ASCII ("omega sqrt(md) <= 1/C"). A reader sees Greek letters, roots, raised and
lowered parts. The result still uses ``_{…}`` and ``^{…}``, which each renderer draws its own way.
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
}
_SIGN = re.compile("|".join(map(re.escape, _SIGNS)))
_LETTER = re.compile(rf"(?<![A-Za-z])({'|'.join(GREEK)})(~?)(\d*)(?![A-Za-z])")
_ROOT = re.compile(r"(?<![A-Za-z])sqrt(?=\()|(?<![A-Za-z])sqrt (?=[\w(αβγδεζηθκλμνξπρστφχψω])")
_SUM = re.compile(r"(?<![A-Za-z])sum(?=_)")
_LOWERED = re.compile(
    r"(?<![A-Za-z0-9_{])([A-Za-zα-ωΑ-Ω∑]|log|max|min)_([A-Za-z0-9α-ωΑ-Ω]+)(?![\w(])"
)
_RAISED = re.compile(r"\^(\([^()]*\)|[-−]?\d*\.?\d+|[-−]?[A-Za-zα-ω](?:\([^()]*\))?)(?![A-Za-z])")


def readable(text: str) -> str:
    """The text with Greek letters, signs, roots, lowered and raised parts; words stay as they are.

    Example:
        >>> readable("A6: omega sqrt(md) <= 1/C")
        'A6: ω √(md) ≤ 1/C'
        >>> readable("sum_A sqrt(d) x_j, d^(1/4), mu1, sigma_xi, test_accuracy")
        '∑_{A} √(d) x_{j}, d^{1/4}, μ_{1}, σ_{ξ}, test_accuracy'
    """
    text = _SIGN.sub(lambda found: _SIGNS[found[0]], text)
    text = _LETTER.sub(_letter, text)
    text = _SUM.sub("∑", _ROOT.sub("√", text))
    text = _LOWERED.sub(r"\1_{\2}", text)
    return _RAISED.sub(lambda found: f"^{{{_bare(found[1])}}}", text)


def _letter(found: re.Match[str]) -> str:
    name, tilde, number = found.groups()
    letter = GREEK[name] + ("\u0303" if tilde else "")
    return f"{letter}_{{{number}}}" if number else letter


def _bare(raised: str) -> str:
    """What was raised, without the parentheses around all of it."""
    return raised[1:-1] if raised.startswith("(") else raised
