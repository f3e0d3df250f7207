"""Draw a graph with matplotlib as vector graphics, with the same boxes and arrows as on the web
page.
"""

from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing
from matplotlib.patches import PathPatch, Polygon
from matplotlib.path import Path

from featlearn.figures.graph import LOOKS, Graph, fitting, outline, tip, way

INCHES = 1 / 96
"""Of one unit of the layout."""
_ARROW = "#8a929b"


def draw(graph: Graph) -> Drawing:
    """Return a drawing of the graph, as large as its layout asks for."""
    width, height = graph.size
    sheet = Drawing(figsize=(width * INCHES, height * INCHES))
    axes = sheet.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.axis("off")
    for user, all_used in graph.arrows.items():
        for used in all_used:
            _arrow(axes, graph, user, used)
    for name, box in graph.boxes.items():
        x, y = graph.place(name)
        look = LOOKS[box.look]
        dash = [float(each) for each in look.dash.split()]
        axes.add_patch(
            Polygon(
                [(x + a, y + b) for a, b in outline(box.shape)],
                facecolor=look.fill,
                edgecolor=look.edge,
                linewidth=1,
                linestyle=(0, dash) if dash else "-",
            )
        )
        label = axes.text(x, y - 6, box.label, color=look.ink, ha="center", va="center")
        label.set(weight="bold", size=8 * fitting(box.label))
        sign = f"{look.sign} {box.look.replace('-', ' ')}" if look.sign else "not checked"
        axes.text(x, y + 9, sign, color=look.ink, ha="center", va="center", size=6.5)
    return sheet


def _arrow(axes: Axes, graph: Graph, user: str, used: str) -> None:
    curves = way(graph, user, used)
    points = [curves[0][0], *(point for each in curves for point in each[1:])]
    codes = [Path.MOVETO, *(Path.CURVE4 for _ in points[1:])]
    axes.add_patch(
        PathPatch(Path(points, codes), facecolor="none", edgecolor=_ARROW, linewidth=0.8)
    )
    axes.add_patch(Polygon(tip(graph, user, used), facecolor=_ARROW, edgecolor="none"))
