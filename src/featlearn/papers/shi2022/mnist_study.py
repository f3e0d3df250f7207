"""What algorithm 1 is applied to in figures 4, 25 and 26: MNIST, and Gaussians in its place.

Pixels are standardised by one mean and one standard deviation over all of them; U is N(0, I), as
large as L. Size "quick" takes the first 20 000 of the 60 000 images; and where there is no file of
MNIST, scikit-learn's 8 x 8 digits stand in for it, with a sweep of their own.
"""

from dataclasses import dataclass

import numpy as np

from featlearn._streams import generator
from featlearn.distributions.images import load
from featlearn.learners.family import Labelled, Learner
from featlearn.learners.fully_connected import FC
from featlearn.learners.teacher_student import Task
from featlearn.papers.shi2022.on_images import files_of, set_in
from featlearn.reproduction.item import Context

FILES = files_of("mnist", "digits")


@dataclass(frozen=True, kw_only=True)
class Setting:
    """How large it is run."""

    dataset: str
    images: int
    sizes: tuple[int, ...]
    seeds: int
    learner: Learner

    @property
    def whole(self) -> bool:
        """Whether it is MNIST, all of it."""
        return self.dataset == "mnist" and self.images == 60_000

    @property
    def recipe(self) -> str:
        """What L and U are."""
        return f"gaussian, {self.dataset}, {self.images} images"

    @property
    def about(self) -> str:
        """In words, for a row that cannot be compared."""
        if self.whole:
            return ""
        kept = f"{self.images} of 60 000 images" if self.dataset == "mnist" else "8 x 8 digits"
        return f"on {kept}, which the paper does not use"


def setting(context: Context) -> Setting:
    """The size that the context asks for, on the files that it has."""
    dataset = set_in("mnist", "digits", context.data)
    sizes: tuple[int, ...]
    if dataset == "digits":
        sizes, learner = (1, 2, 3, 5, 7, 9, 15, 30), context.lab.learner(FC(steps=600, batch=100))
        return Setting(dataset=dataset, images=1437, sizes=sizes, seeds=2, learner=learner)
    if context.quick:
        sizes, learner = (3, 5, 7, 9, 12, 15, 20, 30, 50), context.lab.learner(FC(steps=3000))
        return Setting(dataset=dataset, images=20_000, sizes=sizes, seeds=2, learner=learner)
    sizes = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 50, 100, 200, 500)
    learner = context.lab.learner(FC(steps=9000))
    return Setting(dataset=dataset, images=60_000, sizes=sizes, seeds=5, learner=learner)


def task(context: Context, chosen: Setting) -> Task:
    """L and U."""
    train = load(chosen.dataset, "train", context.data).first(chosen.images)
    test = load(chosen.dataset, "test", context.data)
    mean, sd = train.scaled.mean(), train.scaled.std()
    labelled, held_out = (
        Labelled(x=(each.scaled - mean) / sd, labels=each.labels, classes=len(each.classes))
        for each in (train, test)
    )
    rng = generator(0, "injected inputs")
    injected, other = (
        rng.standard_normal(each.x.shape, dtype=np.float32) for each in (labelled, held_out)
    )
    return Task(labelled=labelled, held_out=held_out, injected=injected, injected_held_out=other)
