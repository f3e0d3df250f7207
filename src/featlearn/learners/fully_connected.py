"""FC(1), FC(2), …: the family of classifiers with one hidden layer, whose size grows with m."""

from dataclasses import dataclass

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import PyTree

from featlearn._check import require, require_positive
from featlearn.learners.classification import Classification, OnLabelled
from featlearn.learners.family import Fit, Inputs, Job, Labelled, Records, Shape
from featlearn.networks.fully_connected import FullyConnected
from featlearn.training import Adam, Plan, Recording, log_spaced


@dataclass(frozen=True, kw_only=True)
class FC:
    """Classifiers with one hidden layer and quadratic activation; Adam with a falling eta."""

    steps: int
    eta: float = 0.005
    batch: int = 200
    lam: float = 1.0
    """Weight of R2 in the penalty on unlabelled inputs."""
    records: int = 16
    """About how many steps are recorded."""

    def __post_init__(self) -> None:
        require(self.steps >= 1, "FC(steps)", "at least 1", self.steps)
        require(self.batch >= 1, "FC(batch)", "at least 1", self.batch)
        require(self.records >= 2, "FC(records)", "at least 2", self.records)
        require_positive(self.eta, "FC(eta)")

    @property
    def name(self) -> str:
        """The name of the family."""
        return "FC"

    def parameters(self, size: int, shape: Shape, classes: int) -> int:
        """Return the number of trained parameters of a classifier of that size."""
        return _network(size, shape, classes).parameters

    def plan(self, job: Job) -> Plan:
        """Return the training plan of a classifier, with the measurements that are recorded."""
        network = _network(job.size, job.train.shape, job.train.classes)
        phase = Classification(
            network=network,
            x=_flat(job.train.x),
            labels=jnp.asarray(job.train.labels),
            unlabelled=None if job.unlabelled is None else _flat(job.unlabelled),
            steps=self.steps,
            batch=min(self.batch, len(job.train)),
            lam=self.lam,
            rule=Adam(eta=self.eta),
        )
        measurements = tuple(
            _on_labelled(name, network, each) for name, each in job.watched.items()
        )
        steps = log_spaced(self.steps, self.records)
        return Plan(
            init=lambda key: network.init(key=key),
            phases=(phase,),
            recording=Recording(measurements=measurements, steps=steps),
        )

    def work(self, job: Job) -> float:
        """Return an estimate of the training time, in any unit."""
        return float(max(1, job.size) * self.steps)

    def as_fit(self, job: Job, state: PyTree, records: Records) -> Fit:
        """Return the trained classifier, made from the last state and the records."""
        return _as_fit(job, records, jax.tree.map(np.asarray, state.params))


def _network(size: int, shape: Shape, classes: int) -> FullyConnected:
    return FullyConnected(d=int(np.prod(shape)), width=size, classes=classes)


def _flat(x: Inputs) -> jax.Array:
    return jnp.asarray(x.reshape(len(x), -1))


def _on_labelled(name: str, network: FullyConnected, labelled: Labelled) -> OnLabelled:
    labels = jnp.asarray(labelled.labels)
    return OnLabelled(name=name, network=network, x=_flat(labelled.x), labels=labels)


def _as_fit(job: Job, records: Records, params: PyTree) -> Fit:
    network = _network(job.size, job.train.shape, job.train.classes)
    steps = np.array(sorted(records))

    def curves(what: str) -> dict[str, np.ndarray]:
        return {
            name: np.array([float(records[int(t)][f"{name}_{what}"]) for t in steps])
            for name in job.watched
        }

    def probabilities(x: Inputs) -> np.ndarray:
        return np.asarray(jax.nn.softmax(network.logits(params, _flat(x))))

    return Fit(
        size=job.size,
        seed=job.seed,
        steps=steps,
        loss=curves("loss"),
        accuracy=curves("accuracy"),
        probabilities=probabilities,
    )
