"""Algorithm 1 with ResNets: CIFAR-10, SVHN with Gaussians or Tiny ImageNet (figures 22 to 24).

The paper's teachers are ResNet(5) (CIFAR-10) and ResNet(2) (SVHN), its students ResNet(9) and
ResNet(8); its images are all of the official files, and its recipe is not given. At the quick size
the first 2000 images and few epochs are taken, so that two cores need minutes; `--size full` takes
all images that are there, and needs a GPU. The code is the same. A panel whose files are not there
is left out, and a note says so; if all are, the item is absent.

x    images, each channel less its mean and over its standard deviation on L; U likewise by L's
     numbers, Gaussians being N(0, 1) for each pixel and channel
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from featlearn._check import MissingResource
from featlearn._streams import generator
from featlearn.distributions.images import Images, folder_of, load
from featlearn.learners.family import Labelled, Watch
from featlearn.learners.resnet.family import ResNets
from featlearn.learners.teacher_student import Study, Task, teacher_and_student
from featlearn.papers.shi2022.injected import one_number, study_figure, study_rows
from featlearn.papers.shi2022.on_images import files_of
from featlearn.reproduction.item import Context, Item, Reproduction
from featlearn.reproduction.rows import cell
from featlearn.results.ledger import Printed, Row, Status

SIDE = 32


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A set of images with what the paper found and used for it."""

    dataset: str
    title: str
    teacher: int
    student: int
    official: int
    """Training images in the official files."""


CIFAR = Setting(dataset="cifar10", title="CIFAR-10", teacher=5, student=9, official=50_000)
SVHN = Setting(dataset="svhn", title="SVHN", teacher=2, student=8, official=73_257)
NAMES = {"gaussian": "Gaussians", "tiny-imagenet": "Tiny ImageNet"}


@dataclass(frozen=True, kw_only=True)
class Size:
    """How much is computed."""

    images: int | None
    held_out: int | None
    epochs: int
    sizes: tuple[int, ...]
    seeds: int


QUICK = Size(images=2000, held_out=1000, epochs=6, sizes=(1, 2, 3, 5), seeds=2)
FULL = Size(
    images=None, held_out=None, epochs=100, sizes=(1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32), seeds=3
)


def size_of(context: Context) -> Size:
    """The size that is asked for."""
    return QUICK if context.quick else FULL


def task(context: Context, setting: Setting, injected: str) -> Task:
    """L and U, normalised alike; the Gaussians are those of one seed, as files would be."""
    size = size_of(context)
    train, test = (load(setting.dataset, split, context.data) for split in ("train", "test"))
    train, test = train.first(size.images or len(train)), test.first(size.held_out or len(test))
    mean, sd = train.scaled.mean(axis=(0, 1, 2)), train.scaled.std(axis=(0, 1, 2))

    def normalised(images: Images) -> np.ndarray:
        return ((images.scaled - mean) / sd).astype(np.float32)

    def labelled(images: Images) -> Labelled:
        labels = images.labels.astype(np.int64)
        return Labelled(x=normalised(images), labels=labels, classes=len(images.classes))

    if injected == "gaussian":
        others = [
            generator(0, f"gaussian-{name}").standard_normal((len(part), SIDE, SIDE, 3), np.float32)
            for name, part in (("train", train), ("test", test))
        ]
    else:
        sets = [load(injected, split, context.data).shrunk(SIDE) for split in ("train", "test")]
        others = [normalised(each) for each in sets]
        others[0] = _shuffled(others[0])[: len(train)]
        others[1] = _shuffled(others[1])[: len(test)]
    return Task(
        labelled=labelled(train),
        held_out=labelled(test),
        injected=others[0],
        injected_held_out=others[1],
    )


def study(
    context: Context,
    setting: Setting,
    injected: str = "gaussian",
    *,
    alpha: float = 0.5,
    watch: Watch | None = None,
) -> Study:
    """All of algorithm 1; every fit is kept in the store, and read when it is asked for again."""
    size = size_of(context)
    return teacher_and_student(
        context.lab.learner(ResNets(epochs=size.epochs)),
        task(context, setting, injected),
        sizes=size.sizes,
        student=setting.student,
        alpha=alpha,
        seeds=size.seeds,
        watch=watch,
    )


def _shuffled(x: np.ndarray) -> np.ndarray:
    """Files come class by class."""
    return np.asarray(x[generator(0, "others").permutation(len(x))])


@dataclass(frozen=True, kw_only=True)
class Case:
    """One panel of a figure: L, U and the share of U."""

    setting: Setting
    injected: str = "gaussian"
    alpha: float = 0.5

    @property
    def label(self) -> str:
        """What stands before its rows."""
        return f"{self.setting.title} + {NAMES[self.injected]}, alpha = {self.alpha:g}"

    @property
    def files(self) -> tuple[str, ...]:
        """The sets that must be there."""
        sets = (self.setting.dataset, self.injected)
        return tuple(name for name in sets if name != "gaussian")


def study_item(identity: str, title: str, cases: tuple[Case, ...]) -> Item:
    """An item of some cases: those whose files are there."""

    def reproduce(context: Context) -> Reproduction:
        rows: list[Row] = []
        figures = []
        mine, absent = _divided(cases, context.data)
        for place, case in enumerate(mine):
            found = study(
                context,
                case.setting,
                case.injected,
                alpha=case.alpha,
                watch=_part(context.watch, place, len(mine)),
            )
            rows += _rows(context, identity, case, found)
            figures.append(
                study_figure(
                    found,
                    identity=identity if place == 0 else f"{identity}-{place + 1}",
                    title=f"{case.label}: student ResNet({case.setting.student})",
                    name="ResNet",
                )
            )
        notes = tuple(f"{case.label} is left out: {error}" for case, error in absent)
        return Reproduction(rows=tuple(rows), figures=tuple(figures), notes=notes)

    def files(folder: Path | None) -> str:
        mine, absent = _divided(cases, folder)
        if not mine:
            raise absent[0][1]
        there = dict.fromkeys(name for case in mine for name in case.files)
        return "-".join(files_of(name)(folder) for name in there)

    return Item(
        id=identity,
        title=title,
        reproduce=reproduce,
        references=("shi2022",),
        data=files,
        gpu=True,
    )


def _divided(
    cases: tuple[Case, ...], folder: Path | None
) -> tuple[list[Case], list[tuple[Case, MissingResource]]]:
    """The cases whose files are there, and the others with what is said of them."""
    there, absent = [], []
    for case in cases:
        try:
            for name in case.files:
                folder_of(name, folder)
            there.append(case)
        except MissingResource as error:
            absent.append((case, error))
    return there, absent


def _rows(context: Context, item: str, case: Case, found: Study) -> list[Row]:
    size, setting = size_of(context), case.setting
    train = load(setting.dataset, "train", context.data)
    images = min(size.images or len(train), len(train))
    about = f"{images} of {setting.official} images and {size.epochs} epochs here"
    recipe = f"{images} images, {size.epochs} epochs"
    sweep = found.sweep
    seen = "a U and its minimum" if sweep.u_shaped else "no U within the sizes tried"
    test = np.mean([fit.accuracy["test"][-1] for fit in found.teachers])
    why = (
        f"{about}; {seen}; the teachers have {100 * test:.1f} % test accuracy and give "
        f"{100 * found.balance.mean():.0f} % of U their most frequent label"
    )
    official = not context.quick and images == setting.official
    made_of = f"{context.size}, {images} images"
    teacher = cell(
        context,
        item,
        f"{case.label}: size of the teacher, by the rule",
        one_number(sweep.chosen, size.seeds),
        Printed(value=float(setting.teacher), sd=0.0, resolve=1.0),
        status=None if official else Status.NOT_RUN,
        why=why,
        recipe=recipe,
        size=made_of,
    )
    label = f"{case.label}, student ResNet({setting.student})"
    study = study_rows(
        found,
        item=item,
        label=label,
        clear=True,
        run=official,
        why=about,
        recipe=recipe,
        size=made_of,
    )
    return [teacher, *study]


def _part(watch: Watch | None, place: int, total: int) -> Watch | None:
    return (lambda share: watch((place + share) / total)) if watch else None
