"""Draw a graph as boxes in layers with arrows between them, as SVG for a web page or for print.

Two words decide the appearance of a box: its *shape* (what kind of thing it is) and its *look* (the
verdict on it). Both are also given in words, so that a reader needs neither colour nor shape.
"""

import functools
import html
import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from featlearn._check import require_one_of
from featlearn.figures.layers import Layout, Point, layered
from featlearn.figures.style import LIGHT

HALF, RISE = 52.0, 19.0
"""Half the width and half the height of a box."""
MARGIN = 14.0
LETTERS = 13
"""So many letters of the usual size stand in a box."""
ENDINGS = (".svg", ".pdf", ".png")
_CORNER = 9.0

SHAPES = ("box", "rounded", "hexagon", "ellipse", "slanted", "folded", "plain")
"""Of which `outline` gives the corners."""


@dataclass(frozen=True, kw_only=True)
class Look:
    """The colours of a box on white, and a sign with the same meaning for readers who see no
    colour.
    """

    fill: str
    edge: str
    ink: str
    sign: str
    dash: str = ""
    """Lengths of dashes and gaps of the edge, as SVG writes them."""


_GREEN, _RED, _AMBER, _BLUE, _GREY = "#0b6b4f", "#a4330b", "#7a5600", "#17588c", "#59636e"
LOOKS: Mapping[str, Look] = {
    "firm": Look(fill=_GREEN, edge=_GREEN, ink="#ffffff", sign="✓✓"),
    "holds": Look(fill="#d9f2e8", edge=_GREEN, ink=_GREEN, sign="✓"),
    "fails": Look(fill="#fde3d6", edge=_RED, ink=_RED, sign="✗"),
    "out-of-scope": Look(fill="#fbeec6", edge=_AMBER, ink=_AMBER, sign="∅", dash="5 3"),
    "open": Look(fill="#ddecf9", edge=_BLUE, ink=_BLUE, sign="?", dash="2 2"),
    "none": Look(fill="#ffffff", edge=_GREY, ink="#1f2328", sign="–"),
    "step": Look(fill="#eef0f2", edge="#b4bac1", ink=_GREY, sign="", dash="1 3"),
}


@dataclass(frozen=True, kw_only=True)
class Box:
    """A node of the graph, with everything that its drawing needs."""

    label: str
    shape: str
    look: str
    told: str
    """All that is known of it, in words."""
    link: str = ""
    """Where it leads on a page; empty for nowhere."""
    about: Mapping[str, str] | None = None
    """Further words for a page's script, as data attributes."""

    def __post_init__(self) -> None:
        require_one_of(self.shape, SHAPES, "Box(shape)")
        require_one_of(self.look, tuple(LOOKS), "Box(look)")


@dataclass(frozen=True, kw_only=True)
class Graph:
    """The boxes of a drawing by name and, for each, the names of the boxes that its arrows point
    to.
    """

    title: str
    boxes: dict[str, Box]
    arrows: dict[str, tuple[str, ...]]

    @functools.cached_property
    def layout(self) -> Layout:
        """The positions of all boxes and arrows."""
        return layered(self.arrows)

    @property
    def size(self) -> Point:
        """The width and the height of the drawing."""
        room = 2 * (HALF + MARGIN), 2 * (RISE + MARGIN)
        return self.layout.width + room[0], self.layout.height + room[1]

    def place(self, name: str) -> Point:
        """Return the centre of a box."""
        x, y = self.layout.places[name]
        return x + HALF + MARGIN, y + RISE + MARGIN


def outline(shape: str) -> tuple[Point, ...]:
    """Return the corners of a box of the given shape, centred at 0, in order.

    Example:
        >>> outline("box")
        ((-52.0, -19.0), (52.0, -19.0), (52.0, 19.0), (-52.0, 19.0))
    """
    w, h, c = HALF, RISE, _CORNER
    if shape == "ellipse":
        turns = [2 * math.pi * i / 32 for i in range(32)]
        return tuple((w * math.cos(t), h * math.sin(t)) for t in turns)
    if shape == "rounded":
        arcs = ((w - c, h - c, 0), (c - w, h - c, 1), (c - w, c - h, 2), (w - c, c - h, 3))
        return tuple(
            (x + c * math.cos(t), y + c * math.sin(t))
            for x, y, quarter in arcs
            for t in (math.pi / 2 * (quarter + i / 4) for i in range(5))
        )
    corners = {
        "hexagon": ((-w, 0.0), (c - w, -h), (w - c, -h), (w, 0.0), (w - c, h), (c - w, h)),
        "slanted": ((c - w, -h), (w, -h), (w - c, h), (-w, h)),
        "folded": ((-w, -h), (w - c, -h), (w, c - h), (w, h), (-w, h)),
    }
    return corners.get(shape, ((-w, -h), (w, -h), (w, h), (-w, h)))


def way(graph: Graph, user: str, used: str) -> list[tuple[Point, Point, Point, Point]]:
    """Return an arrow as cubic curves, from the lower edge of one box to the upper edge of the
    other.
    """
    points = [(x + HALF + MARGIN, y + RISE + MARGIN) for x, y in graph.layout.ways[user, used]]
    (x0, y0), (x1, y1) = points[0], points[-1]
    side = 1 if y1 > y0 else -1  # an arrow of a circle leads up
    points[0], points[-1] = (x0, y0 + side * RISE), (x1, y1 - side * (RISE + 1))
    curves = []
    for (xa, ya), (xb, yb) in pairwise(points):
        half = (yb - ya) / 2
        curves.append(((xa, ya), (xa, ya + half), (xb, yb - half), (xb, yb)))
    return curves


def tip(graph: Graph, user: str, used: str) -> tuple[Point, Point, Point]:
    """Return the three corners of the head of an arrow; the second is its point."""
    x, y = way(graph, user, used)[-1][-1]
    back = 6.0 if graph.place(user)[1] < y else -6.0
    return (x - 3.5, y - back), (x, y), (x + 3.5, y - back)


def svg(graph: Graph, *, alone: bool = False) -> str:
    """Return the drawing as SVG, styled by the page around it or, with `alone`, by itself."""
    width, height = graph.size
    paths = [
        f'<path class="way" data-from="{_text(a)}" data-to="{_text(b)}" '
        f'd="{_curve(graph, a, b)}{_tip(graph, a, b)}"/>'
        for a, used in graph.arrows.items()
        for b in used
    ]
    nodes = [_node(graph, name) for name in graph.boxes]
    head = f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}"'
    more = ' xmlns="http://www.w3.org/2000/svg" role="img"' if alone else ""
    style = f"<style>{_STYLE}</style>" if alone else ""
    name = f"<title>{_text(graph.title)}</title>" if alone else ""
    return (
        f'<svg class="graph"{more} {head}>{name}{style}<g class="ways">{"".join(paths)}</g>'
        f'<g class="nodes">{"".join(nodes)}</g></svg>'
    )


def save(graph: Graph, file: Path) -> None:
    """Write the drawing in the format that the file's ending names: SVG, PDF or PNG."""
    require_one_of(file.suffix, ENDINGS, "--figure")
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.suffix == ".svg":
        from featlearn.results.files import write_text

        write_text(file, svg(graph, alone=True))
        return
    from featlearn.figures.graph_on_paper import draw
    from featlearn.figures.on_paper import drawing

    undated = {".pdf": {"CreationDate": None}}
    with drawing(LIGHT):
        draw(graph).savefig(file, metadata=undated.get(file.suffix))


def _node(graph: Graph, name: str) -> str:
    box = graph.boxes[name]
    x, y = graph.place(name)
    corners = " ".join(f"{a:.1f},{b:.1f}" for a, b in outline(box.shape))
    data = "".join(f' data-{key}="{_text(text)}"' for key, text in (box.about or {}).items())
    tag, link = ("a", f' href="#{_text(box.link)}"') if box.link else ("g", ' tabindex="0"')
    role = "" if box.link else ' role="img"'
    share = fitting(box.label)
    size = f' style="font-size: {12 * share:.1f}px"' if share < 1 else ""
    return (
        f'<{tag} class="node {box.look}" data-node="{_text(name)}"{link}{role}{data} '
        f'aria-label="{_text(box.told)}" transform="translate({x:.1f} {y:.1f})">'
        f'<title>{_text(box.told)}</title><polygon points="{corners}"/>'
        f'<text y="-3"{size}>{_text(box.label)}</text>'
        f'<text class="sign" y="12">{_text(_sign(box))}</text></{tag}>'
    )


def fitting(label: str) -> float:
    """Return the factor by which the letters of a label are shrunk so that it fits into its box.

    Example:
        >>> fitting("lemma C.4"), round(fitting("merged staircase"), 2)
        (1.0, 0.81)
    """
    return min(1.0, LETTERS / len(label))


def _sign(box: Box) -> str:
    sign = LOOKS[box.look].sign
    return f"{sign} {box.look.replace('-', ' ')}" if sign else "not checked"


def _curve(graph: Graph, user: str, used: str) -> str:
    curves = way(graph, user, used)
    begin = "M{:.1f} {:.1f}".format(*curves[0][0])
    rest = ["C" + " ".join(f"{x:.1f} {y:.1f}" for x, y in each[1:]) for each in curves]
    return begin + "".join(rest)


def _tip(graph: Graph, user: str, used: str) -> str:
    """Return the head of an arrow as part of an SVG path."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in tip(graph, user, used))


def _text(text: str) -> str:
    return html.escape(text)


_STYLE = (
    "text{font:600 12px sans-serif;text-anchor:middle}.sign{font-weight:400;font-size:10px}"
    + (
        ".way{fill:none;stroke:#8a929b;stroke-width:1.1}"
        + "".join(
            f".{name} polygon{{fill:{look.fill};stroke:{look.edge};stroke-width:1.4;"
            f"stroke-dasharray:{look.dash or 'none'}}}.{name} text{{fill:{look.ink}}}"
            for name, look in LOOKS.items()
        )
    )
)
