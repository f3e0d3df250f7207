"""A training session in its own thread: ready, compiling, running, paused, finished or failed.

    ready --start, step--> compiling --> running <--start, pause--> paused --step--> paused
                                            +--> finished | failed

The steps are those of `featlearn run`: the same loop and the same random streams give the same
bits. Measuring more often, pausing and stepping do not change them. A session never goes back to an
earlier step: a reset closes it and opens another session.
"""

import contextlib
import math
import threading
import time
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import jax

from featlearn._check import InputError, as_sentence, require
from featlearn.experiments.experiment import Experiment
from featlearn.experiments.job import DIVERGED, ExperimentJob
from featlearn.experiments.named import NamedExperiment
from featlearn.play.knobs import command, texts
from featlearn.play.predictions import Prediction, predictions
from featlearn.play.shares import SHARE, Shares
from featlearn.play.view import View, view
from featlearn.results.dataset import Trajectory
from featlearn.training import Plan, train

CHUNK_SECONDS = 0.1
"""A pause takes effect after about so many seconds, or after one step if that is longer."""
PICTURES = 300
"""About how many pictures a whole run has at the default pace."""
PER_SECOND = 20.0
"""The most pictures per second, so that eyes can follow."""
KEPT = 400
"""The most pictures that are kept; when there are more, every other one is dropped."""


class Closed(Exception):
    """Raised in the thread of a session that has to end."""


@dataclass(frozen=True, kw_only=True)
class Picture:
    """What the page shows at one step, with a running number; numbers are missing where pictures
    were dropped.
    """

    number: int
    frame: dict[str, Any]


class Session:
    """Trains one configuration and one seed; the visitor starts, pauses and steps the training."""

    def __init__(
        self, named: NamedExperiment, config: Any, seed: int, *, patience: float = math.inf
    ) -> None:
        """Prepare a session; nothing is computed before `start` or `step`.

        Args:
            named: the experiment.
            config: its configuration.
            seed: all randomness comes from it.
            patience: seconds without a question after which training rests until the next one.
        """
        self._patience, self._asked = patience, time.monotonic()
        self.named, self.config, self.seed = named, config, seed
        self._experiment: Experiment = config.experiment()
        self._plan: Plan = self._experiment.plan
        self._turn = threading.Condition()
        self._thread: threading.Thread | None = None
        self._allowed = 0.0  # the worker continues while its step is below this
        self._step, self._pace = 0, max(1, round(self._plan.steps / PICTURES))
        self._waiting = self._compiling = self._closed = False
        self._ended: str | None = None
        self._error: str | None = None
        self._view: View | None = None
        self._pictures: list[Picture] = []
        self._made = 0
        self._summary: dict[str, float | None] | None = None
        self._predicted: list[Prediction] = []

    # The requests of a watcher.

    @property
    def state(self) -> str:
        """The state: "ready", "compiling", "running", "paused", "finished" or "failed"."""
        with self._turn:
            if self._ended:
                return self._ended
            if self._thread is None:
                return "ready"
            if self._waiting and self._allowed <= self._step:
                return "paused"
            return "compiling" if self._compiling else "running"

    def start(self) -> None:
        """Start or continue the training; it runs to its last step unless it is paused."""
        self._go(math.inf)

    def step(self) -> None:
        """Train one step, then pause."""
        self._go(self._step + 1)

    def go_to(self, step: int) -> None:
        """Train up to a later step, then pause."""
        ahead = f"a step from {self._step + 1} to {self._plan.steps}"
        require(self._step < step <= self._plan.steps, "step", ahead, step)
        self._go(step)

    def pause(self) -> None:
        """Pause the training after the current chunk of steps."""
        with self._turn:
            self._allowed = 0.0
            self._turn.notify_all()

    def set_pace(self, steps: int) -> None:
        """Set the number of steps from one picture to the next."""
        require(1 <= steps <= 10**7, "pace", "1 to 10000000 steps a picture", steps)
        with self._turn:
            self._pace = steps
            self._turn.notify_all()

    def close(self, patience: float = 0.0) -> bool:
        """End the session after the current chunk; return whether it ended within `patience`
        seconds.
        """
        with self._turn:
            self._closed = True
            self._turn.notify_all()
        if self._thread is None:
            return True
        self._thread.join(patience)
        return not self._thread.is_alive()

    def document(self, after: int = 0) -> dict[str, Any]:
        """Return everything that the page shows: the state, and the pictures after number
        `after`.
        """
        with self._turn:
            self._asked = time.monotonic()
            self._turn.notify_all()
            return {
                "id": self.named.id,
                "values": texts(self.config, self.seed),
                "state": self.state,
                "step": self._step,
                "steps": self._plan.steps,
                "pace": self._pace,
                "command": command(self.named, self.config, self.seed),
                "view": self._view.document() if self._view else None,
                "frames": [p.frame for p in self._pictures if p.number > after],
                "last": self._made,
                "summary": self._summary,
                "predicted": [each.document() for each in self._predicted],
                "error": self._error,
            }

    # The thread.

    def _go(self, allowed: float) -> None:
        with self._turn:
            require(
                self._ended is None, "session", "one that can go on", f"{self._ended}", "Reset it."
            )
            self._allowed, self._asked = allowed, time.monotonic()
            if self._thread is None:
                self._compiling = True
                self._thread = threading.Thread(target=self._work, name="play", daemon=True)
                self._thread.start()
            self._turn.notify_all()

    def _work(self) -> None:
        ended, told = "finished", None
        try:
            # The device of a run, so that its compiled programs are reused.
            with jax.default_device(jax.devices()[0]):
                self._train()
        except Closed:
            pass
        except Exception as error:  # the page shows any error and stays alive
            ended, told = "failed", str(as_sentence(error, "training", "steps one can compute"))
        with self._turn:
            self._ended, self._error, self._compiling = ended, told, False
            self._turn.notify_all()

    def _train(self) -> None:
        trajectory: dict[int, Any] = {}
        diverged: int | None = None
        *begins, end = 0, *accumulate(phase.steps for phase in self._plan.phases)
        shares = Shares(self._experiment, self.seed)
        positions = train(
            self._plan, seed=self.seed, chunk_seconds=CHUNK_SECONDS, also=self._next_look
        )
        for position in positions:
            for step, record in position.records.items():
                if step in self._plan.recording.steps:
                    trajectory[step] = record
                self._show(step, {**record, **shares.at(position)})
            diverged = position.diverged
            with self._turn:
                self._step, self._compiling = position.step, position.step in begins
            if diverged is not None:
                raise InputError("training", "finite weights", f"divergence at step {diverged}")
            if position.step < end:
                self._wait(pictured=bool(position.records))
        job = ExperimentJob(identity=self.named.id, config=self.config, seeds=(self.seed,))
        summary = job.summarise(job.assemble([Trajectory(records=trajectory)]))
        self._summary = {n: values[0] for n, values in summary.items() if n != DIVERGED}

    def _predict(self, start: dict[str, list[float | None]]) -> None:
        """Compute what the paper predicts, in parallel with the training; a prediction that fails
        is left out.
        """
        with contextlib.suppress(Exception):
            self._predicted = predictions(self.config, start, self._plan.steps)

    def _may_go_on(self) -> bool:
        """Return whether a step is allowed and a page is open, which asks for the state several
        times a second.
        """
        watched = time.monotonic() - self._asked <= self._patience
        return self._allowed > self._step and watched

    def _next_look(self, step: int) -> int:
        """Return the next step to measure: a multiple of the pace, or the last step that is
        allowed.
        """
        pace, allowed = self._pace, self._allowed
        due = (step // pace + 1) * pace
        return int(min(due, allowed)) if allowed > step else due

    def _show(self, step: int, record: Any) -> None:
        if self._view is None:
            known = self._experiment.recording.quantities | SHARE
            quantities = {name: known[name] for name in known if name in record}
            self._view = view(quantities, self._experiment.named_places, record)
            first = self._view.frame(step, record)
            start = {**{n: [v] for n, v in first["curves"].items()}, **first["neurons"]}
            threading.Thread(target=self._predict, args=(start,), daemon=True).start()
        frame = self._view.frame(step, record)
        with self._turn:
            self._made += 1
            self._pictures.append(Picture(number=self._made, frame=frame))
            if len(self._pictures) > KEPT:
                self._pictures = self._pictures[::2]

    def _wait(self, *, pictured: bool) -> None:
        """Wait until the session may continue; a running session pauses briefly after each
        picture.
        """
        with self._turn:
            if pictured and math.isinf(self._allowed):
                until = time.monotonic() + 1 / PER_SECOND
                while (left := until - time.monotonic()) > 0 and not self._closed:
                    self._turn.wait(left)
            self._waiting = True
            self._turn.wait_for(lambda: self._closed or self._may_go_on())
            self._waiting = False
            if self._closed:
                raise Closed
