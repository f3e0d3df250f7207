"""How a ResNet of the paper is trained on images, and what is recorded: what needs torch."""

from pathlib import Path

import numpy as np

from featlearn._describe import describe
from featlearn._source import sources
from featlearn.distributions.images import Images, checksum_of, load
from featlearn.experiments.experiment import PlannedRun
from featlearn.learners.family import Labelled
from featlearn.learners.resnet.descent import Descent, Sample, State, epochs
from featlearn.learners.resnet.filters import (
    PAIRS,
    channels_first,
    filter_record,
    judge,
    quantities,
)
from featlearn.learners.resnet.network import ResNet
from featlearn.learners.resnet.plan import ImagePlan, Measure, Scores
from featlearn.measurements import last
from featlearn.papers.shi2022.resnet import ResNetTraining
from featlearn.results.key import ResultKey
from featlearn.training import Quantity, log_spaced
from featlearn.training.loop import Record


def images(config: ResNetTraining) -> tuple[Labelled, Labelled]:
    """Training and held-out images, normalised alike."""
    folder = Path(config.data) if config.data else None
    train, test = (
        load(config.dataset, split, folder).only(*config.classes) for split in ("train", "test")
    )
    train = train.first(config.samples) if config.samples else train
    test = test.first(config.test) if config.test else test
    mean, sd = train.scaled.mean(axis=(0, 1, 2)), train.scaled.std(axis=(0, 1, 2))
    sd = sd + (sd == 0)

    def labelled(each: Images) -> Labelled:
        x = ((each.scaled - mean) / sd).astype("float32")
        return Labelled(x=x, labels=each.labels.astype("int64"), classes=len(config.classes))

    return labelled(train), labelled(test)


def plan(config: ResNetTraining) -> ImagePlan:
    """How it is trained, and what is recorded."""
    train, test = images(config)
    height, _, channels = train.shape
    network = ResNet(filters=config.filters, classes=train.classes, channels=channels, side=height)
    steps = epochs(config.epochs, config.batch, len(train))
    descent = Descent(
        network=network,
        steps=steps,
        batch=config.batch,
        eta=config.eta,
        momentum=config.momentum,
        decay=config.decay,
        early=True,
    )
    sample = Sample(x=channels_first(train.x), y=train.labels)

    def measure(scores: Scores, state: State) -> Record:
        record = filter_record(network, state)
        for name, labelled in (("train", train), ("test", test)):
            loss, accuracy = judge(scores, labelled)
            record[f"{name}_loss"] = np.asarray(loss, np.float32)
            record[f"{name}_accuracy"] = np.asarray(accuracy, np.float32)
        return record

    def measured(seed: int) -> Measure:
        return measure

    third = min(epochs(3, config.batch, len(train)), steps)
    return ImagePlan(
        descent=descent,
        sample=lambda seed: sample,
        measure=measured,
        recorded=tuple(sorted({third, *log_spaced(steps, config.records)})),
        threads=config.threads,
    )


def planned(config: ResNetTraining) -> PlannedRun:
    """The experiment; its images are read when it is trained."""

    return PlannedRun(
        plan=plan(config),
        quantities=_quantities(),
        reductions=last("test_accuracy", "train_accuracy", "test_loss", "train_loss"),
        named_places={"pair": PAIRS},
        key=ResultKey(
            description=[describe(config), checksum_of(config.dataset, config.data)],
            modules=sources(config, ImagePlan),
        ),
    )


def _quantities() -> dict[str, Quantity]:

    told = {"loss": "mean of -ln f(x)_y", "accuracy": "share of images classified right"}
    where = {"train": "on the training images", "test": "on the held-out images"}
    described = {
        f"{name}_{what}": Quantity(dims=(), meaning=f"{meaning}, {place}")
        for name, place in where.items()
        for what, meaning in told.items()
    }
    return described | quantities()
