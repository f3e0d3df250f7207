"""Load a set of images from its official files and check them; or load scikit-learn's digits.

If only some files of a set are present, such as some of CIFAR-10's batches or an extract in the
official format, these are loaded. `state` says which files are present; `checksum_of` returns
their checksum, which is stored with results.
"""

import functools
import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from featlearn._check import InputError, require_one_of
from featlearn.distributions.images.download import sha256
from featlearn.distributions.images.folders import (
    ARCHIVES,
    find,
    folder_of,
    path_of,
    source_of,
)
from featlearn.distributions.images.formats import (
    Labels,
    Pixels,
    cifar,
    content,
    mnist,
    svhn,
    tiny_imagenet,
)
from featlearn.distributions.images.images import Images
from featlearn.distributions.images.sources import Part, Source

SPLITS = ("train", "test")
HELD_OUT = 360
"""The last of scikit-learn's 1797 digits, which come writer by writer, are its test images."""


def load(name: str, split: str, data: Path | str | None = None) -> Images:
    """Return the images of one split of a set.

    Args:
        name: "digits" (which needs no file), "mnist", "cifar10", "svhn" or "tiny-imagenet".
        split: "train" or "test".
        data: the folder of the set, or the one above it; None: FEATLEARN_DATA, then the user's.

    Example:
        >>> digits = load("digits", "train")
        >>> len(digits), digits.shape
        (1437, (8, 8, 1))
    """
    require_one_of(split, SPLITS, "load(split)")
    if name == "digits":
        return _digits(split)
    folder = folder_of(name, data)
    return _load(source_of(name), split, folder, _stamp(folder))


def checksum_of(name: str, data: Path | str | None = None) -> str:
    """Return one MD5 checksum, 32 hexadecimal digits, of all files of a set that are present."""
    if name == "digits":
        return hashlib.md5(b"scikit-learn digits").hexdigest()
    folder = folder_of(name, data)
    return _checksum(source_of(name), folder, _stamp(folder))


@dataclass(frozen=True, kw_only=True)
class State:
    """Which files of an image set are present on this machine."""

    source: Source
    folder: Path | None
    """None if nothing is."""
    official: bool = False
    """Whether all its files are here, each with its official checksum."""
    detail: str = ""
    """One sentence."""


def state(name: str, data: Path | str | None = None) -> State:
    """Return whether the files of a set are present, complete, and equal to the official ones."""
    source = source_of(name)
    if name == "digits":
        detail = "comes with scikit-learn"
        return State(source=source, folder=None, official=True, detail=detail)
    folder = find(name, data)
    if folder is None:
        return State(source=source, folder=None, detail="not here")
    if not source.parts:
        return _state_of_jpegs(source, folder)
    here = [part for part in source.parts if path_of(folder, part.file)]
    try:
        official = [_md5(_found(folder, part)) == part.md5 for part in here]
        for split in SPLITS:
            if any(part.split == split for part in here):
                load(name, split, folder)
    except InputError as error:
        return State(source=source, folder=folder, detail=str(error))
    if all(official) and len(here) == len(source.parts):
        detail = "complete, official checksums"
        return State(source=source, folder=folder, official=True, detail=detail)
    counted = f"{sum(official)} of {len(source.parts)} files with their official checksum"
    extracts = len(here) - sum(official)
    more = f", {extracts} in the official format but shorter" if extracts else ""
    return State(source=source, folder=folder, detail=counted + more)


def _state_of_jpegs(source: Source, folder: Path) -> State:
    (whole,) = source.downloads
    archive = next((folder / each for each in ARCHIVES if (folder / each).is_file()), None)
    if archive is None:
        return State(
            source=source, folder=folder, detail="a folder of images, which has no checksum"
        )
    official = sha256(archive) == whole.sha256
    kind = "official checksum" if official else "an archive of somebody's own"
    return State(source=source, folder=folder, official=official, detail=f"{archive.name}: {kind}")


def _digits(split: str) -> Images:
    from sklearn.datasets import load_digits

    bunch = load_digits()
    pixels = np.rint(bunch.images * (255 / 16)).astype(np.uint8)[..., None]
    labels, classes = bunch.target.astype(np.int64), source_of("digits").classes
    part = slice(None, -HELD_OUT) if split == "train" else slice(-HELD_OUT, None)
    return Images(name="digits", pixels=pixels[part], labels=labels[part], classes=classes)


def _stamp(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """Return names, sizes and times of a folder's files; caches depend on them."""
    stats = [(path.name, path.stat()) for path in sorted(folder.iterdir())]
    return tuple((name, each.st_size, each.st_mtime_ns) for name, each in stats)


@functools.lru_cache(maxsize=4)
def _load(source: Source, split: str, folder: Path, stamp: tuple[object, ...]) -> Images:
    classes = source.classes
    if source.name == "tiny-imagenet":
        pixels, labels, classes = tiny_imagenet(folder, split)
    elif source.name == "mnist":
        parts = [part for part in source.parts if part.split == split]
        pixels, labels = _mnist(folder, parts)
    else:
        pixels, labels = _batches(source, split, folder)
    for array in (pixels, labels):
        array.flags.writeable = False
    return Images(name=source.name, pixels=pixels, labels=labels, classes=classes)


def _mnist(folder: Path, parts: list[Part]) -> tuple[Pixels, Labels]:
    paths = (_found(folder, parts[0]), _found(folder, parts[1]))
    data = (content(paths[0]), content(paths[1]))
    pixels, labels = mnist(paths, data)
    for path, bytes_, part in zip(paths, data, parts, strict=True):
        _require_official(path, bytes_, part, len(labels))
    return pixels, labels


def _batches(source: Source, split: str, folder: Path) -> tuple[Pixels, Labels]:
    """Return the images and labels of all files of the split that are present, concatenated."""
    read = cifar if source.name == "cifar10" else svhn
    parts = [part for part in source.parts if part.split == split]
    here = [part for part in parts if path_of(folder, part.file)] or parts[:1]
    found = []
    for part in here:
        path = _found(folder, part)
        data = content(path)
        pixels, labels = read(path, data)
        _require_official(path, data, part, len(labels))
        found.append((pixels, labels))
    return np.concatenate([p for p, _ in found]), np.concatenate([y for _, y in found])


def _found(folder: Path, part: Part) -> Path:
    path = path_of(folder, part.file)
    if path is None:
        raise InputError(str(folder / part.file), "a file", "none")
    return path


def _require_official(path: Path, data: bytes, part: Part, images: int) -> None:
    """Raise `InputError` if a file with all official images has not the official checksum."""
    if images < part.images:
        return
    got = hashlib.md5(data).hexdigest()
    if got != part.md5:
        hint = "Get it again: it is damaged."
        raise InputError(str(path), f"the official md5 {part.md5}", got, hint)


def _md5(path: Path) -> str:
    return hashlib.md5(content(path)).hexdigest()


@functools.lru_cache(maxsize=8)
def _checksum(source: Source, folder: Path, stamp: tuple[object, ...]) -> str:
    """Return the MD5 checksum of the names and contents of all files that `load` would read."""
    whole = hashlib.md5()
    if source.name == "tiny-imagenet":
        archives = [folder / each for each in ARCHIVES if (folder / each).is_file()]
        jpegs = sorted(path for part in ("train", "val") for path in (folder / part).rglob("*.*"))
        paths = archives[:1] or jpegs
    else:
        paths = [path for part in source.parts if (path := path_of(folder, part.file))]
    for path in paths:
        name = path.relative_to(folder).as_posix().removesuffix(".gz")
        whole.update(f"{name} {_md5(path)}\n".encode())
    return whole.hexdigest()
