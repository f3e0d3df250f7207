"""The requests that the page of the playground may send: each takes and returns a JSON document.

A request chooses an experiment by its id: one of the catalogue, or the one that the command line
named. A request never makes the server open a file or import a module. Values in a request are read
only by the parser of configurations.
"""

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from featlearn._check import InputError, as_sentence, require, suggestion
from featlearn.experiments.named import NamedExperiment
from featlearn.figures.style import DARK, LIGHT, ROLES, palette
from featlearn.play.knobs import about, command, configured, field_of, knobs
from featlearn.play.notebook import notebook
from featlearn.play.presets import presets
from featlearn.reproduction.catalogue import experiments, papers
from featlearn.serve.server import Document, Refused

if TYPE_CHECKING:
    from featlearn.play.session import Session

PATIENCE = 20.0
"""Seconds after the last question of a page, as when its tab was closed, until training rests."""
FILES = {
    "/": ("featlearn.play", "page.html", "text/html"),
    "/page.css": ("featlearn.report", "page.css", "text/css"),
    "/play.css": ("featlearn.play", "play.css", "text/css"),
    "/ask.js": ("featlearn.serve", "ask.js", "text/javascript"),
    "/draw.js": ("featlearn.play", "draw.js", "text/javascript"),
    "/take.js": ("featlearn.play", "take.js", "text/javascript"),
    "/play.js": ("featlearn.play", "play.js", "text/javascript"),
}
"""Address -> package, file, type: all that the page is made of."""


class Playground:
    """The experiments that a visitor can choose, and the session that is open."""

    files = FILES

    def __init__(self, chosen: NamedExperiment | None = None) -> None:
        own = chosen is not None and chosen.id not in experiments()
        mine = (chosen,) if own else ()
        self._groups: list[dict[str, Any]] = [
            *([{"title": "Your own", "experiments": mine}] if mine else []),
            *(
                {"title": f"{p.authors} ({p.year}). {p.title}", "experiments": p.experiments}
                for p in papers().values()
                if p.experiments
            ),
        ]
        self._known: dict[str, NamedExperiment] = {
            each.id: each for group in self._groups for each in group["experiments"]
        }
        self._chosen = chosen.id if chosen else None
        self._session: Session | None = None
        self._closing: list[Session] = []
        self._lock = threading.Lock()
        self.questions = {
            "catalogue": self.catalogue,
            "check": self.check,
            "reset": self.reset,
            "start": lambda asked: self._act("start"),
            "pause": lambda asked: self._act("pause"),
            "step": lambda asked: self._act("step"),
            "go": self.go,
            "pace": self.pace,
            "notebook": self.notebook,
            "state": self.state,
        }

    def catalogue(self, asked: Document) -> Document:
        """Return the papers, their experiments with knobs, and the colours."""
        return {
            "groups": [
                {
                    "title": group["title"],
                    "experiments": [
                        {
                            "id": each.id,
                            "title": each.title,
                            "knobs": knobs(each.config),
                            "presets": presets(each),
                        }
                        for each in group["experiments"]
                    ],
                }
                for group in self._groups
            ],
            "chosen": self._chosen,
            "themes": {theme.name: palette(theme) for theme in (LIGHT, DARK)},
            "dashes": {role: look.dash for role, look in ROLES.items()},
        }

    def check(self, asked: Document) -> Document:
        """Return the command line for these values, or the error message if a value is wrong."""
        try:
            named, config, seed = self._configured(asked)
            told = self._about(config)
        except Refused as refused:
            return {"command": None, "about": [], **refused.document}
        return {"command": command(named, config, seed), "about": told, "error": None}

    def reset(self, asked: Document) -> Document:
        """Close the session and open another with these values, which does not start to train
        yet.
        """
        named, config, seed = self._configured(asked)
        from featlearn.play.memory import require_fits
        from featlearn.play.session import Session

        with self._lock:
            try:
                require_fits(config, named.config)
                session = Session(named, config, seed, patience=PATIENCE)
            except Exception as error:
                told = as_sentence(error, named.id, "values it can be built with")
                raise Refused(told, field_of(told, config)) from None
            if self._session is not None:
                self._closing.append(self._session)
            self._closing = [each for each in self._closing if not each.close()]
            self._session = session
            return session.document()

    def go(self, asked: Document) -> Document:
        """Train up to a step, then pause; return the state of the session."""
        step = asked.get("step")
        try:
            require(type(step) is int, "step", "an integer", repr(step)[:40])
            self._open().go_to(int(step or 0))
        except InputError as error:
            raise Refused(error) from None
        return self.state({"after": 10**12})

    def notebook(self, asked: Document) -> Document:
        """Return a notebook that trains the same run."""
        named, config, seed = self._configured(asked)
        return {"name": f"{named.id}.ipynb", "content": notebook(named, config, seed)}

    def pace(self, asked: Document) -> Document:
        """Set the number of steps from one picture to the next; return the state of the session."""
        steps = asked.get("steps")
        try:
            require(type(steps) is int, "pace", "an integer", repr(steps))
            self._open().set_pace(int(steps or 0))
        except InputError as error:
            raise Refused(error) from None
        return self.state({})

    def state(self, asked: Document) -> Document:
        """Return the state of the session, and the pictures that the page does not have yet."""
        after, session = asked.get("after", 0), self._session
        try:
            require(type(after) is int, "after", "an integer", repr(after))
        except InputError as error:
            raise Refused(error) from None
        return session.document(after) if session else {"state": "none"}

    def close(self) -> bool:
        """End all sessions; return whether they have all ended within a second each."""
        with self._lock:
            every = [*self._closing, *([self._session] if self._session else [])]
            ended = [session.close(patience=1.0) for session in every]
        return all(ended)

    def _about(self, config: Any) -> list[str]:
        try:
            return about(config)
        except InputError as error:
            raise Refused(error, field_of(error, config)) from None

    def _act(self, verb: str) -> Document:
        try:
            session = self._open()
            {"start": session.start, "pause": session.pause, "step": session.step}[verb]()
        except InputError as error:
            raise Refused(error) from None
        return self.state({"after": 10**12})

    def _open(self) -> "Session":
        session = self._session
        if session is None:
            raise InputError("session", "one that is open", "none", "Choose an experiment.")
        return session

    def _configured(self, asked: Document) -> tuple[NamedExperiment, Any, int]:
        identity, texts = asked.get("id"), asked.get("values", {})
        named = self._known.get(identity) if isinstance(identity, str) else None
        try:
            if named is None:
                near = suggestion(str(identity)[:80], self._known)
                raise InputError("experiment", "one of the list", repr(identity)[:80], near)
            require(isinstance(texts, Mapping), "values", "a table of texts", type(texts).__name__)
            config, seed = configured(named, texts)
        except (ValueError, ArithmeticError, TypeError) as error:
            told = as_sentence(error, "values", "values it can be built with")
            raise Refused(told, field_of(told, named.config) if named else None) from None
        return named, config, seed
