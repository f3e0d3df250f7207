"""Replace an experiment by an equivalent one that costs less to compute.

gram         For full-batch descent: train in the span of the sample. For fresh Gaussian noise:
             a simulation with the same law, whose cost does not depend on d.
planar       For full-batch descent of ReLU neurons in the plane: train on sorted angles.
coordinates  For patterns of an orthonormal dictionary: train on the coordinates in the
             dictionary and the norm of the part outside its span.

Every replacement is exact: it gives the same numbers up to rounding, or numbers with the same law
(`featlearn.training.simulation`). Where it changes coordinates, the recorded weights are in the new
coordinates and the stored axis says so. A measurement that needs the old coordinates is refused by
name.
"""

from dataclasses import replace
from typing import Any

from featlearn._check import require, require_one_of
from featlearn.distributions import Patterns
from featlearn.experiments.experiment import Experiment, require_any_basis
from featlearn.networks import FoldedGaussian, Gaussian, TwoLayer
from featlearn.training import Descent, Fresh, Phase, Sample, simulate
from featlearn.training.gram import GramDescent
from featlearn.training.planar import PlanarDescent
from featlearn.training.simulation import free_of_d
from featlearn.training.turned_sample import TurnedSample, on_turned_sample
from featlearn.training.wishart import WishartDescent, in_coordinates

WAYS = ("auto", "plain", "gram", "planar", "coordinates")


def accelerate(experiment: Experiment, how: str = "auto") -> Experiment:
    """Return the experiment in its fastest exact form, or in the form that `how` names.

    Args:
        experiment: any experiment; it is returned unchanged if no shortcut applies.
        how: "auto"; or "gram", "planar" or "coordinates", which raise `InputError` where they do
            not apply; or "plain", which changes nothing.

    Example:
        >>> import featlearn as fl
        >>> law = fl.Parity(d=10**6, noise="gaussian")
        >>> net = fl.TwoLayer(
        ...     d=10**6,
        ...     width=8,
        ...     w=fl.Sphere(radius=1.0),
        ...     a=fl.Signs(size=1.0),
        ...     scaling="mean-field",
        ... )
        >>> how = fl.SGD(eta=0.1, batch=64, steps=3, loss=fl.logistic)
        >>> quick = accelerate(fl.Experiment(law, net, how, record=[fl.SignalParts()]))
        >>> quick.network.d, quick.axis
        (10, 'coordinate')
    """
    require_one_of(how, WAYS, "simulation")
    if how == "plain":
        return experiment
    if how == "coordinates" or (how == "auto" and _fits_dictionary(experiment)):
        return _in_dictionary(experiment)
    if not all(isinstance(phase, Descent) for phase in experiment.training):
        return experiment
    phases = [phase for phase in experiment.phases if isinstance(phase, Descent)]
    fresh = all(isinstance(phase.data, Fresh) for phase in phases)
    sample = all(isinstance(phase.data, Sample) for phase in phases)
    if how in ("auto", "gram"):
        sparse = all(free_of_d(phase) for phase in phases)
        if fresh and (how == "gram" or sparse):
            return _without_d(experiment, phases)
        if sample and sparse:
            return _on_rotated_sample(experiment, phases, how)
    return experiment.replace(training=tuple(_simulated(phase, how) for phase in phases))


def _simulated(phase: Descent, how: str) -> Phase:
    """Return a phase that trains in the span of its sample or in the plane, without law and
    network, which the new experiment fills in.
    """
    chosen = simulate(phase, how)
    if isinstance(chosen, Descent):
        return _unbound(chosen)
    assert isinstance(chosen, GramDescent | PlanarDescent)
    return type(chosen)(descent=_unbound(chosen.descent))


def _unbound(phase: Descent) -> Descent:
    return replace(phase, law=None, network=None, kept=None)


def _without_d(experiment: Experiment, phases: list[Descent]) -> Experiment:
    """Return the experiment, on fresh samples with Gaussian noise, trained in the span of the
    signal and the neurons, at a cost that does not depend on d.
    """
    require_any_basis(experiment.record, "accelerate")
    seen = [in_coordinates(phase) for phase in phases]
    first = seen[0].descent
    turned = tuple(WishartDescent(descent=_unbound(each.descent), d=each.d) for each in seen)
    return experiment.replace(
        law=first.law, network=first.network, training=turned, axis="coordinate"
    )


def _on_rotated_sample(experiment: Experiment, phases: list[Descent], how: str) -> Experiment:
    """Return the experiment, on a fixed sample with Gaussian noise, trained in the span of the
    signal, the sample and the neurons.
    """
    require_any_basis(experiment.record, "accelerate")
    turned = [on_turned_sample(phase) for phase in phases]
    law = turned[0].law
    assert isinstance(law, TurnedSample)
    return experiment.replace(
        law=law,
        network=turned[0].network,
        training=tuple(_simulated(phase, how) for phase in turned),
        axis="coordinate",
    )


def _fits_dictionary(experiment: Experiment) -> bool:
    """Return whether the experiment can be trained in the coordinates of its law's dictionary of
    patterns: the dictionary must be smaller than d - 1.
    """
    law, network = experiment.law, experiment.network
    network = getattr(network, "network", network)  # a linearisation has its network inside
    return (
        isinstance(law, Patterns)
        and law.matrix is None
        and not law.noisy
        and law.d > law.dictionary + 1
        and isinstance(network, TwoLayer)
        and isinstance(network.w, Gaussian)
    )


def _in_dictionary(experiment: Experiment) -> Experiment:
    require(
        _fits_dictionary(experiment),
        "simulation",
        "orthonormal patterns without noise in d > D + 1 dimensions, and a Gaussian start",
        type(experiment.law).__name__,
        "Use --simulation plain.",
    )
    require_any_basis(experiment.record, "accelerate")
    law: Patterns = experiment.law
    network, inside = experiment.network, law.dictionary + 1

    def in_coordinates(each: Any) -> Any:
        if not isinstance(each, TwoLayer):
            return replace(each, network=in_coordinates(each.network))
        assert isinstance(each.w, Gaussian)
        return replace(each, d=inside, w=FoldedGaussian(sd=each.w.sd, d=law.d))

    return experiment.replace(
        law=replace(law, d=inside), network=in_coordinates(network), axis="coordinate"
    )
