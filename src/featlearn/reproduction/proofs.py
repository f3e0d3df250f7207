"""The graph of a paper's proofs: its statements, and which other statements each proof uses.

A node is a statement, or a step of a proof that is listed and not checked. An arrow leads from a
statement to each one that its proof uses. A verdict HOLDS is worth more if all statements that the
proof uses hold as well: `Standing` distinguishes the two cases.
"""

import enum
import importlib
import importlib.util
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from featlearn._check import require, suggestion
from featlearn.reproduction.catalogue import papers
from featlearn.reproduction.numbered import numbered
from featlearn.reproduction.outcome import Outcome, StatementOutcome
from featlearn.reproduction.paper import Paper
from featlearn.theory.readings import ORDER
from featlearn.theory.text import NO_TEXT, Text
from featlearn.theory.verdict import Kind

READINGS = tuple(reading.name.lower() for reading in ORDER)
DECIDING = "deciding"
"""The reading that gives a statement its verdict, whichever it is."""


STEP = "step of a proof"
"""The title of a step for which the map of its paper gives no reason."""


class Standing(enum.Enum):
    """The verdict on a statement combined with those on all that its proof uses; the value is the
    text in a legend.
    """

    FIRM = "holds, and so does all that it rests on"
    HOLDS = "holds; something that it rests on does not, or is not checked"
    FAILS = "fails"
    OUT_OF_SCOPE = "out of scope, or vacuous"
    OPEN = "open, or undecided"
    NONE = "a definition, or no verdict"
    STEP = "a step of a proof that is not checked"


_STANDING = {
    "HOLDS": Standing.HOLDS,
    "FAILS": Standing.FAILS,
    "OUT_OF_SCOPE": Standing.OUT_OF_SCOPE,
    "VACUOUS": Standing.OUT_OF_SCOPE,
    "OPEN": Standing.OPEN,
    "UNDECIDED": Standing.OPEN,
}


@dataclass(frozen=True, kw_only=True)
class Node:
    """A statement, or a step of a proof, in the graph."""

    name: str
    """In its paper: "lemma-C.4"."""
    title: str
    kind: Kind | None
    """None for a step that is not checked."""
    verdicts: Mapping[str, str | None]
    """By reading."""
    uses: tuple[str, ...]
    text: Text = NO_TEXT

    def verdict(self, reading: str = DECIDING) -> str | None:
        """Return the verdict in a reading; if the node lacks that reading, the corrected or the
        printed one.
        """
        if reading != DECIDING:
            chosen = (reading, "corrected", "printed")
            return next((self.verdicts[each] for each in chosen if each in self.verdicts), None)
        told = [self.verdicts[each] for each in READINGS if each in self.verdicts]
        for wanted in (("HOLDS", "FAILS"), ("UNDECIDED",), ("VACUOUS",)):
            for verdict in told:
                if verdict in wanted:
                    return verdict
        return told[0] if told else None


@dataclass(frozen=True, kw_only=True)
class ProofGraph:
    """The statements of a paper, by name, and the statements that each proof uses."""

    paper: str
    nodes: dict[str, Node]
    whole: "ProofGraph | None" = None
    """The graph that it is a part of, by which its standings are told."""

    def below(self, name: str) -> set[str]:
        """Return all statements that the proof of a statement uses, directly or indirectly."""
        return self._reached(name, {each: node.uses for each, node in self.nodes.items()})

    def above(self, name: str) -> set[str]:
        """Return all statements whose proofs use a statement, directly or indirectly."""
        return self._reached(name, self.used_by)

    @property
    def used_by(self) -> dict[str, tuple[str, ...]]:
        """Map every node to the nodes whose proofs use it."""
        found: dict[str, list[str]] = {name: [] for name in self.nodes}
        for name, node in self.nodes.items():
            for used in node.uses:
                found[used].append(name)
        return {name: tuple(users) for name, users in found.items()}

    def around(self, name: str) -> "ProofGraph":
        """Return the part of the graph with one statement, all that it uses and all that uses
        it.
        """
        require(
            name in self.nodes,
            f"graph {self.paper}",
            "a statement or a step of a proof",
            repr(name),
            suggestion(name, self.nodes),
        )
        kept = {name, *self.below(name), *self.above(name)}
        nodes = {
            each: replace(node, uses=tuple(used for used in node.uses if used in kept))
            for each, node in self.nodes.items()
            if each in kept
        }
        return replace(self, nodes=nodes, whole=self.whole or self)

    def standing(self, name: str, reading: str = DECIDING) -> Standing:
        """Return the verdict on a statement in a reading, combined with those on all that its proof
        uses.
        """
        if self.whole is not None:
            return self.whole.standing(name, reading)
        own = self._alone(name, reading)
        fine = (Standing.HOLDS, Standing.NONE)
        firm = all(self._alone(each, reading) in fine for each in self.below(name))
        return Standing.FIRM if own is Standing.HOLDS and firm else own

    def _alone(self, name: str, reading: str) -> Standing:
        node = self.nodes[name]
        if node.kind is None:
            return Standing.STEP
        return _STANDING.get(node.verdict(reading) or "", Standing.NONE)

    def _reached(self, name: str, arrows: Mapping[str, tuple[str, ...]]) -> set[str]:
        found: set[str] = set()
        ahead = list(arrows.get(name, ()))
        while ahead:
            each = ahead.pop()
            if each not in found:
                found.add(each)
                ahead += arrows.get(each, ())
        return found - {name}


def proofs(paper: Paper, outcomes: Iterable[Outcome] = ()) -> ProofGraph:
    """Return the graph of a paper, with the verdicts of the outcomes or, if there are none, the
    recorded ones.
    """
    decided = {
        each.id.partition(".")[2]: each.judgement.verdicts
        for each in outcomes
        if isinstance(each, StatementOutcome) and each.paper == paper.id and each.judgement
    }
    recorded: dict[str, Any] = paper.expected()["verdicts"]
    steps = _texts(paper)
    reasons = {name: row.note for row in numbered(paper) if not row.by for name in row.numbers}
    nodes: dict[str, Node] = {}
    for name, title in paper.statements.items():
        statement = paper.statement(name)
        nodes[name] = Node(
            name=name,
            title=title,
            kind=statement.kind,
            verdicts=decided.get(name) or recorded.get(name) or {},
            uses=tuple(dict.fromkeys(statement.text.uses)),
            text=statement.text,
        )
    ahead = [used for node in nodes.values() for used in node.uses] + list(steps)
    while ahead:
        name = ahead.pop(0)
        if name not in nodes:
            text = steps.get(name, NO_TEXT)
            uses = tuple(dict.fromkeys(text.uses))
            nodes[name] = Node(
                name=name,
                title=reasons.get(name, STEP),
                kind=None,
                verdicts={},
                uses=uses,
                text=text,
            )
            ahead += uses
    return ProofGraph(paper=paper.id, nodes=nodes)


def find(identity: str) -> tuple[ProofGraph, str]:
    """Return the graph that an id asks for, and the statement in its middle ("" for a whole
    paper).
    """
    name, _, item = identity.partition(".")
    known = papers()
    require(
        name in known,
        "graph",
        "a paper, or a statement of one",
        repr(identity),
        suggestion(identity, known, "See `featlearn papers`."),
    )
    graph = proofs(known[name])
    return (graph.around(item), item) if item else (graph, "")


def _texts(paper: Paper) -> dict[str, Text]:
    """Return all texts of a paper, including those of proof steps that are not checked."""
    package = f"{paper.package}.texts"
    if importlib.util.find_spec(package) is None:
        return {}
    found: dict[str, Text] = getattr(importlib.import_module(package), "TEXTS", {})
    return found
