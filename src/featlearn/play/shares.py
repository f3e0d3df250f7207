"""Measure the signal share of every neuron, separately from the recording of an experiment.

A program that measures more may round differently. Because this measurement is separate, the
numbers that the experiment records stay the same as in a run, bit by bit.
"""

from typing import Any

from featlearn._streams import stream
from featlearn.experiments.experiment import Experiment
from featlearn.measurements import Directed, SignalShare
from featlearn.training import Position, Quantity
from featlearn.training.loop import observe

SHARE: dict[str, Quantity] = {
    "signal_share": Quantity(
        dims=("neuron",),
        meaning="share of ||w||^2 in the directions that the label depends on",
    )
}


class Shares:
    """Measures the signal shares of all neurons at positions in the training of one seed."""

    def __init__(self, experiment: Experiment, seed: int) -> None:
        self._phases, self._seed = experiment.phases, seed
        self._phase, self._fixed = -1, None
        self._law = experiment.setting.law

    def at(self, position: Position) -> dict[str, Any]:
        """Return the shares; empty if the law has no relevant directions or there are no
        neurons.
        """
        dynamics = self._phases[position.phase]
        if position.phase != self._phase:
            self._phase = position.phase
            self._fixed = dynamics.fixed(key=stream(self._seed, "sample"))
        params = dynamics.params(position.state, self._fixed)
        sides = getattr(getattr(params, "w", None), "shape", ())
        if not isinstance(self._law, Directed) or sides[1:] != (self._law.d,):
            return {}
        share = SignalShare(directions=self._law.relevant_directions)
        return dict(observe((share,), params, stream(self._seed, "test")))
