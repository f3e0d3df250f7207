"""Search for the folder that holds the files of an image set.

The search begins in the folder given by the caller, else in that of the environment variable
FEATLEARN_DATA, else in the user's data folder. This may be the folder of one set (``…/mnist``) or
the folder above it: both are searched.
"""

import os
from pathlib import Path

from featlearn._check import MissingResource, require
from featlearn.distributions.images.sources import SOURCES, Source

VARIABLE = "FEATLEARN_DATA"
ARCHIVES = ("tiny-imagenet-200.zip", "tiny-imagenet-200.tar", "images.tar")
"""Tiny ImageNet as one file, where it is not a folder of JPEG files."""


def user_folder() -> Path:
    """Return the default folder for image files, which is within the user's data folder."""
    home = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(home) / "featlearn"


def data_folder(data: Path | str | None = None) -> Path:
    """Return `data` if given, else the folder in FEATLEARN_DATA, else the user's default folder."""
    if data is not None:
        require(Path(data).is_dir(), f"--data {data}", "a folder", "none")
        return Path(data)
    if named := os.environ.get(VARIABLE):
        require(Path(named).is_dir(), f"{VARIABLE}={named}", "a folder", "none")
        return Path(named)
    return user_folder()


def find(name: str, data: Path | str | None = None) -> Path | None:
    """Return the folder that holds files of the set `name`, or None if there is none."""
    source, root = source_of(name), data_folder(data)
    for folder in (root / name, *(root / other for other in source.folders), root):
        if _holds(folder, source):
            return folder
    return None


def folder_of(name: str, data: Path | str | None = None) -> Path:
    """Return the folder that holds files of a set; raise `MissingResource` if there is none."""
    folder = find(name, data)
    if folder is None:
        files = ", ".join(part.file for part in source_of(name).parts) or ARCHIVES[0]
        raise MissingResource(
            str(data_folder(data)),
            f"the files of {source_of(name).title} ({files})",
            "none of them",
            f"`featlearn data get {name}` fetches them.",
        )
    return folder


def source_of(name: str) -> Source:
    """Return the description of the image set `name`: its files, addresses and checksums."""
    known = ", ".join(SOURCES)
    require(name in SOURCES, "image set", f"one of {known}", repr(name))
    return SOURCES[name]


def path_of(folder: Path, file: str) -> Path | None:
    """Return the path of a file, or of the same file with .gz; None if there is neither."""
    for path in (folder / file, folder / f"{file}.gz"):
        if path.is_file():
            return path
    return None


def _holds(folder: Path, source: Source) -> bool:
    if source.name == "tiny-imagenet":
        jpegs = folder / "train"
        whole = jpegs.is_dir() and any(jpegs.glob("*/images"))
        return whole or any((folder / each).is_file() for each in ARCHIVES)
    return any(path_of(folder, part.file) for part in source.parts)
