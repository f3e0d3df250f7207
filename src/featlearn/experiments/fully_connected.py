"""FC(1), FC(2), …: the family of one-hidden-layer classifiers, trained here over all devices."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from featlearn._check import require, require_positive
from featlearn._source import source_digest
from featlearn.experiments.executor import Stop, Stopped, Task, execute
from featlearn.networks.fully_connected import FullyConnected
from featlearn.training import Adam, Plan, Recording, log_spaced
from featlearn.training.classification import Classification, OnLabelled
from featlearn.training.kept import Fits, Records, trained
from featlearn.training.learner import Fit, Inputs, Job, Labelled, Shape, Watch


@dataclass(frozen=True, kw_only=True)
class FC:
    """One hidden layer with a quadratic activation, Adam, and a step size that falls to 0."""

    steps: int
    eta: float = 0.005
    batch: int = 200
    lam: float = 1.0
    """Weight of R2 in the penalty on unlabelled inputs."""
    records: int = 16
    """About how many steps are recorded."""
    fits: Fits | None = field(default=None, compare=False, repr=False)
    """Where they are kept; None keeps nothing."""

    def __post_init__(self) -> None:
        require(self.steps >= 1, "FC(steps)", "at least 1", self.steps)
        require(self.batch >= 1, "FC(batch)", "at least 1", self.batch)
        require(self.records >= 2, "FC(records)", "at least 2", self.records)
        require_positive(self.eta, "FC(eta)")

    @property
    def name(self) -> str:
        """As in FC(9)."""
        return "FC"

    def parameters(self, size: int, shape: Shape, classes: int) -> int:
        """How many numbers a member of that size has to learn."""
        return _network(size, shape, classes).parameters

    def fit(self, jobs: Sequence[Job], watch: Watch | None = None) -> list[Fit]:
        """Train all of them, each on one device, and give them back in the order of the jobs."""
        tasks = [Task(name=place, work=self._work(job)) for place, job in enumerate(jobs)]
        fits: dict[int, Fit] = {}
        for outcome in execute(tasks, total=len(tasks), watch=watch):
            if outcome.error is not None:
                raise outcome.error
            fits[outcome.task.name] = outcome.value
        return [fits[place] for place in range(len(jobs))]

    def _work(self, job: Job) -> Any:
        def work(stop: Stop, report: Watch) -> Fit:
            plan, recipe = self.plan(job), f"{self!r}, {source_digest()}"
            end, records = trained(plan, recipe, job, fits=self.fits, stop=stop, told=report)
            if end.step < plan.steps:
                raise Stopped
            return _fitted(job, records, jax.tree.map(np.asarray, end.state.params))

        return work

    def plan(self, job: Job) -> Plan:
        """How one of them is trained, and what is recorded."""
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
        measurements = tuple(_on(name, network, each) for name, each in job.watched.items())
        steps = log_spaced(self.steps, self.records)
        return Plan(
            init=lambda key: network.init(key=key),
            phases=(phase,),
            recording=Recording(measurements=measurements, steps=steps),
        )


def _network(size: int, shape: Shape, classes: int) -> FullyConnected:
    return FullyConnected(d=int(np.prod(shape)), width=size, classes=classes)


def _flat(x: Inputs) -> jax.Array:
    return jnp.asarray(x.reshape(len(x), -1))


def _on(name: str, network: FullyConnected, labelled: Labelled) -> OnLabelled:
    labels = jnp.asarray(labelled.labels)
    return OnLabelled(name=name, network=network, x=_flat(labelled.x), labels=labels)


def _fitted(job: Job, records: Records, params: Any) -> Fit:
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
