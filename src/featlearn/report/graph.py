"""Draw the graph of a paper's proofs, for page and file: the shape of a box shows the kind of
statement, its look the verdict.
"""

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from featlearn.figures.graph import LOOKS, Box, Graph, outline, svg
from featlearn.report.cards import spoken
from featlearn.reproduction.proofs import DECIDING, READINGS, STEP, Node, ProofGraph, Standing
from featlearn.theory.verdict import Kind

SHAPE: Mapping[Kind | None, str] = {
    Kind.IDENTITY: "box",
    Kind.BOUND: "rounded",
    Kind.HIDDEN_CONSTANTS: "hexagon",
    Kind.HIGH_PROBABILITY: "ellipse",
    Kind.ALL_ALGORITHMS: "slanted",
    Kind.DEFINITION: "folded",
    None: "plain",
}
LOOK: Mapping[Standing, str] = {
    Standing.FIRM: "firm",
    Standing.HOLDS: "holds",
    Standing.FAILS: "fails",
    Standing.OUT_OF_SCOPE: "out-of-scope",
    Standing.OPEN: "open",
    Standing.NONE: "none",
    Standing.STEP: "step",
}


def drawing(
    proofs: ProofGraph, *, reading: str = DECIDING, links: Mapping[str, str] | None = None
) -> Graph:
    """Return the drawing of a graph of proofs.

    Args:
        proofs: the graph.
        reading: whose verdicts the looks are of.
        links: places on the page, by id.
    """
    boxes = {
        name: Box(
            label=spoken(name),
            shape=SHAPE[node.kind],
            look=LOOK[proofs.standing(name, reading)],
            told=sentence(proofs, name, reading),
            link=(links or {}).get(f"{proofs.paper}.{name}", ""),
            about=_look_by_reading(proofs, name),
        )
        for name, node in proofs.nodes.items()
    }
    arrows = {name: node.uses for name, node in proofs.nodes.items()}
    return Graph(title=f"What rests on what: {proofs.paper}", boxes=boxes, arrows=arrows)


def sentence(proofs: ProofGraph, name: str, reading: str = DECIDING) -> str:
    """Describe a node in words: its name, its kind, its verdict, and the nodes that its proof
    uses.
    """
    node = proofs.nodes[name]
    kind = node.kind.value if node.kind else "step of a proof, not checked"
    title = f": {node.title}" if node.title != STEP else ""
    stands = f", {proofs.standing(name, reading).value}" if node.kind else ""
    return f"{spoken(name)}{title} ({kind}{stands}); rests on {_listed(node.uses)}"


def lines(proofs: ProofGraph) -> list[str]:
    """Return the graph as a list with one line per node."""
    return [f"{sentence(proofs, name)}.{_readings(node)}" for name, node in proofs.nodes.items()]


def document(proofs: ProofGraph) -> dict[str, Any]:
    """Return the graph as a JSON document."""
    return {
        "paper": proofs.paper,
        "nodes": [
            {
                "id": f"{proofs.paper}.{name}",
                "title": node.title,
                "kind": node.kind.value if node.kind else None,
                "verdicts": dict(node.verdicts),
                "standing": proofs.standing(name).name,
                "uses": list(node.uses),
                "rests_on": sorted(proofs.below(name)),
                "used_by": sorted(proofs.above(name)),
            }
            for name, node in proofs.nodes.items()
        ],
    }


def on_page(proofs: ProofGraph, links: Mapping[str, str]) -> dict[str, Any]:
    """Return all that the page shows of a graph: the drawing, the legend, and the same as a
    list.
    """
    found = drawing(proofs, links=links)
    used_by = proofs.used_by
    return {
        "svg": Markup(svg(found)),
        "recorded": _recorded(proofs, links),
        "width": found.size[0],
        "shapes": [(kind.value, _shape(SHAPE[kind])) for kind in Kind if _has(proofs, kind)],
        "looks": [
            (LOOK[each], f"{LOOKS[LOOK[each]].sign} {each.value}".strip())
            for each in Standing
            if any(LOOK[each] in _look_by_reading(proofs, name).values() for name in proofs.nodes)
        ],
        "readings": [DECIDING, *(r for r in READINGS if _read(proofs, r))],
        "names": {name: spoken(name) for name in proofs.nodes},
        "list": [
            {
                "name": spoken(name),
                "link": links.get(f"{proofs.paper}.{name}", ""),
                "title": node.title,
                "kind": node.kind.value if node.kind else "step of a proof",
                "standing": proofs.standing(name).value,
                "uses": _listed(node.uses),
                "used_by": _listed(used_by[name]),
            }
            for name, node in proofs.nodes.items()
        ],
    }


def _recorded(proofs: ProofGraph, links: Mapping[str, str]) -> str:
    """Return a sentence that says how many verdicts are recorded ones and not from this run; empty
    if none is.
    """
    checked = [name for name, node in proofs.nodes.items() if node.kind is not None]
    run = sum(f"{proofs.paper}.{name}" in links for name in checked)
    if run == len(checked):
        return ""
    return f"{run} of {len(checked)} were run for this page; the others stand as recorded."


def _look_by_reading(proofs: ProofGraph, name: str) -> dict[str, str]:
    """Return a node's line and colour style under each reading, for the page's script."""
    return {each: LOOK[proofs.standing(name, each)] for each in (DECIDING, *READINGS)}


def _shape(shape: str) -> Markup:
    corners = " ".join(f"{x * 0.3:.1f},{y * 0.36:.1f}" for x, y in outline(shape))
    return Markup(
        '<svg class="shape" viewBox="-16 -8 32 16" width="32" height="16" aria-hidden="true">'
        '<polygon points="{}"/></svg>'
    ).format(corners)


def _has(proofs: ProofGraph, kind: Kind) -> bool:
    return any(node.kind is kind for node in proofs.nodes.values())


def _read(proofs: ProofGraph, reading: str) -> bool:
    return any(reading in node.verdicts for node in proofs.nodes.values())


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(map(spoken, names)) or "nothing that is listed"


def _readings(node: Node) -> str:
    told = [f"{name} {verdict or 'no verdict'}" for name, verdict in node.verdicts.items()]
    return f" {', '.join(told)}." if told else ""
