"""Colours, dashes and markers, named by their meaning; no other file defines a colour.

A *role* is the meaning of a series or a mark ("signal", "ntk", "paper"). Its look has a colour for
paper and the light page and one for the dark page, from the palette of Okabe and Ito, which
colour-blind readers can distinguish. Roles that may occur in one panel also differ in dash or
marker, so that they can be distinguished in a grey print.
"""

import dataclasses
import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from featlearn.figures.notation import readable

COLUMN, PAGE = 3.25, 6.75
"""Widths of a figure on paper in inches: one column of a journal, and two."""
BAND = 0.2
"""Opacity of a band between two quantiles."""
SPAN = 0.09
"""Opacity of a shaded span."""


@dataclass(frozen=True, kw_only=True)
class Look:
    """The appearance of a role: its colours, dash and marker."""

    light: str
    """Colour on white."""
    dark: str
    """Colour on the dark page."""
    dash: str = "solid"
    """"solid", "dashed", "dotted" or "dashdot"."""
    marker: str = "circle"
    """"circle", "square", "triangle", "diamond" or "cross"."""
    width: float = 1.4
    """The width of a line, in points."""


_BLACK, _GREY = ("#1a1a1a", "#ececec"), ("#767676", "#a0a0a0")
_BLUE, _SKY = ("#0072b2", "#5aa9e6"), ("#3a9bdc", "#8cc8f2")
_VERMILION, _ORANGE = ("#d55e00", "#ff8c42"), ("#c98500", "#f2b134")
_GREEN, _PURPLE = ("#009e73", "#3ccf9f"), ("#b8578e", "#e39cc6")


def _look(colour: tuple[str, str], dash: str = "solid", marker: str = "circle") -> Look:
    return Look(light=colour[0], dark=colour[1], dash=dash, marker=marker)


ROLES: Mapping[str, Look] = MappingProxyType(
    {
        # a single curve, and a user's curve over ours
        "plain": _look(_BLUE),
        "own": _look(_PURPLE, "dashdot", "diamond"),
        # learners in a comparison
        "network": _look(_BLUE),
        "ntk": _look(_VERMILION, "dashed", "square"),
        "random-features": _look(_GREEN, "dashdot", "triangle"),
        "linear": _look(_ORANGE, "dotted", "diamond"),
        "kernel": _look(_PURPLE, "dashed", "cross"),
        "first-layer": _look(_SKY, "dashed", "triangle"),
        # the network with fewer and with more samples per step
        "small-batch": _look(_SKY, "dashed", "diamond"),
        "large-batch": _look(_ORANGE, "solid", "square"),
        # the parts of a neuron
        "signal": _look(_BLUE),
        "opposite": _look(_VERMILION, "dashed", "square"),
        "orthogonal": _look(_GREY, "dashdot", "triangle"),
        # one of very many
        "neuron": dataclasses.replace(_look(_GREY), width=0.3),
        # how training goes
        "loss": _look(_VERMILION),
        "accuracy": _look(_BLUE),
        "train": _look(_SKY, "dashed", "square"),
        "test": _look(_BLUE),
        # the sign of a second-layer weight or of a label
        "positive": _look(_BLUE),
        "negative": _look(_VERMILION, "dashed", "square"),
        # the four centres of XOR: a colour for the label, a dash for the side
        "+mu1": _look(_BLUE),
        "-mu1": _look(_SKY, "dashed", "square"),
        "+mu2": _look(_VERMILION, "solid", "triangle"),
        "-mu2": _look(_ORANGE, "dashed", "diamond"),
        # clusters of neurons, the largest first, and the neurons in none
        "cluster-1": _look(_BLUE),
        "cluster-2": _look(_VERMILION, "dashed", "square"),
        "cluster-3": _look(_GREEN, "dashdot", "triangle"),
        "cluster-4": _look(_ORANGE, "dotted", "diamond"),
        "cluster-5": _look(_PURPLE, "solid", "square"),
        "no-cluster": _look(_GREY, "dotted", "cross"),
        # a prediction, a bound that cannot be beaten, a guide for the eye
        "paper": dataclasses.replace(_look(_BLACK, "dashed", "cross"), width=1.0),
        "floor": _look(_GREY, "dotted", "cross"),
        "reference": _look(_GREY, "dotted", "cross"),
        # verdicts
        "holds": _look(_GREEN),
        "fails": _look(_VERMILION, "dashed", "cross"),
        "out-of-scope": _look(_ORANGE, "dotted", "square"),
        "undecided": _look(_SKY, "dashdot", "triangle"),
        "phase-1": _look(_ORANGE),
        "phase-2": _look(_GREEN),
    }
)
FIELDS = ("field", "signed", "verdicts")
"""Roles of a raster: continuous, diverging around 0, categories."""
SCALES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "field": ("#440154", "#3b528b", "#21918c", "#5ec962", "#fde725"),
        "signed": ("#0072b2", "#9ecae1", "#f7f7f7", "#fdbb84", "#d55e00"),
        "verdicts": ("#009e73", "#d55e00", "#f0c75e", "#8cc8f2", "#b8b8b8"),
    }
)
"""Colours of a raster from low to high, evenly spaced; "verdicts" begins with HOLDS and FAILS."""


@dataclass(frozen=True, kw_only=True)
class Theme:
    """The colours of everything that is not data, such as text and background."""

    name: str
    ink: str
    """Text."""
    faint: str
    """Grid lines."""
    ground: str
    """Behind the data."""

    def colour(self, role: str) -> str:
        """Return the colour of a role."""
        if self.name == "later":
            return f"@{role}"
        look = ROLES[role]
        return look.dark if self.name == "dark" else look.light

    def veil(self, role: str, opacity: float) -> str:
        """Return the colour of a role with the given opacity, in CSS notation."""
        if self.name == "later":
            return f"@{role}/{opacity}"
        red, green, blue = (int(self.colour(role)[i : i + 2], 16) for i in (1, 3, 5))
        return f"rgba({red},{green},{blue},{opacity})"


LIGHT = Theme(name="light", ink="#1f2328", faint="#e4e7eb", ground="#ffffff")
DARK = Theme(name="dark", ink="#e6e8eb", faint="#343a43", ground="#171a1f")
PAGE_THEME = Theme(name="later", ink="@ink", faint="@faint", ground="@ground")
"""A theme with names instead of colours, which the page replaces by light or dark ones."""


def palette(theme: Theme) -> dict[str, str]:
    """Return the colours of a theme for the colour names that PAGE_THEME leaves open."""
    own = {"ink": theme.ink, "faint": theme.faint, "ground": theme.ground}
    return {**own, **{role: theme.colour(role) for role in ROLES}}


_RAISED = re.compile(r"([_^])\{((?:[^{}]|\{[^{}]*\})*)\}")


def for_paper(text: str) -> str:
    r"""Return a label for matplotlib, with subscripts, superscripts and Greek letters.

    Example:
        >>> print(for_paper("norm of w_{sig}, in $"))
        norm of w$_{\mathregular{sig}}$, in \$
        >>> print(for_paper("t^(2^(k-1))"))
        t$^{\mathregular{2^{k-1}}}$
    """
    plain = readable(text).replace("$", r"\$")
    return _RAISED.sub(r"$\1{\\mathregular{\2}}$", plain)


def for_page(text: str) -> str:
    """Return a label as simple HTML, for plotly and the web page; everything else in it is escaped.

    Example:
        >>> for_page("w_{sig} < 1")
        'w<sub>sig</sub> &lt; 1'
        >>> for_page("t^(2^(k-1))")
        't<sup>2<sup>k-1</sup></sup>'
    """
    return _RAISED.sub(_in_html, html.escape(readable(text), quote=False))


def _in_html(found: re.Match[str]) -> str:
    tag = {"_": "sub", "^": "sup"}[found[1]]
    return f"<{tag}>{_RAISED.sub(_in_html, found[2])}</{tag}>"


_LOW = dict(
    zip("0123456789+−=()aehijklmnoprstuvx⊥", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ⊥", strict=True)
)
_HIGH = dict(zip("0123456789+−=()nit", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱᵗ", strict=True))


def in_letters(text: str) -> str:
    """Return a label for a canvas, which draws letters only: sub- and superscripts become small
    Unicode letters where these exist.

    Example:
        >>> in_letters("||w||^2 along mu1, w_perp, sigma_xi, t^(k-1)")
        '‖w‖² along μ₁, w⊥, σ_ξ, t^(k-1)'
    """
    return _RAISED.sub(_small, readable(text))


def _small(found: re.Match[str]) -> str:
    sign, words = found.groups()
    small = [(_LOW if sign == "_" else _HIGH).get(letter) for letter in words]
    if all(small):
        return "".join(filter(None, small))
    return f"{sign}{words}" if len(words) == 1 or words.isalnum() else f"{sign}({words})"
