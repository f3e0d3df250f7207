"""Graphs as drawings: layers, no overlap, shapes by kind, files of three formats."""

import itertools
from xml.etree import ElementTree

import pytest

from featlearn._check import InputError
from featlearn.figures.graph import HALF, LOOKS, SHAPES, Box, Graph, outline, save, svg
from featlearn.figures.layers import layered
from featlearn.reproduction.catalogue import papers
from featlearn.reproduction.proofs import proofs

SMALL = Graph(
    title="A < B",
    boxes={
        "a": Box(label="theorem & co", shape="ellipse", look="firm", told='says "<b>"', link="a"),
        "b": Box(label="lemma", shape="box", look="fails", told="b"),
    },
    arrows={"a": ("b",), "b": ()},
)


@pytest.mark.parametrize("name", list(papers()))
def test_users_stand_above_what_they_use_and_no_two_overlap(name):
    graph = proofs(papers()[name])
    nodes = graph.nodes
    found = layered({each: node.uses for each, node in nodes.items()})
    assert set(found.places) == set(nodes)
    for each, node in nodes.items():
        for used in node.uses:
            above = found.places[each][1] < found.places[used][1]
            assert above or each in graph.below(used), "only a circle leads up"
            assert found.ways[each, used][0] == found.places[each]
            assert found.ways[each, used][-1] == found.places[used]
    for (xa, ya), (xb, yb) in itertools.combinations(found.places.values(), 2):
        assert ya != yb or abs(xa - xb) >= 2 * HALF


def test_a_circle_of_arrows_is_drawn_all_the_same():
    found = layered({"a": ["b"], "b": ["c"], "c": ["a"]})
    assert len(found.places) == 3
    assert len(found.ways) == 3


def test_the_drawing_is_whole_escaped_and_says_what_it_shows():
    root = ElementTree.fromstring(svg(SMALL, alone=True))
    texts = ["".join(each.itertext()) for each in root.iter() if each.tag.endswith("text")]
    assert texts == ["theorem & co", "✓✓ firm", "lemma", "✗ fails"]
    labels = [each.get("aria-label") for each in root.iter() if each.get("aria-label")]
    assert labels == ['says "<b>"', "b"]
    assert len([each for each in root.iter() if each.get("class") == "way"]) == 1


def test_every_shape_and_every_look_is_another():
    assert len({outline(shape) for shape in SHAPES if shape != "plain"}) == len(SHAPES) - 1
    assert len({(each.fill, each.edge, each.dash, each.sign) for each in LOOKS.values()}) == 7


@pytest.mark.parametrize(
    ("ending", "head"), [("pdf", b"%PDF"), ("png", b"\x89PNG"), ("svg", b"<s")]
)
def test_it_is_written_in_each_format_and_always_the_same(ending, head, tmp_path):
    files = [tmp_path / "new" / f"{n}.{ending}" for n in (1, 2)]
    for file in files:
        save(SMALL, file)
    assert files[0].read_bytes().startswith(head)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_another_ending_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"--figure: expected one of '.svg', '.pdf', '.png'"):
        save(SMALL, tmp_path / "g.gif")
