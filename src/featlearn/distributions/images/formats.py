r"""Readers of the official file formats; a damaged file raises an `InputError` that names it.

idx      MNIST: big-endian; two zero bytes, type 8 (bytes), number of axes, their lengths, the bytes
.bin     CIFAR-10: records of 1 byte for the class and 3 x 32 x 32 bytes, channel by channel
.mat     SVHN: X of 32 x 32 x 3 x n bytes, y of n numbers from 1 to 10, where 10 is the digit 0
JPEG     Tiny ImageNet: train/<class>/images/*.JPEG; val/images/*.JPEG with a table of classes
"""

import gzip
import io
import json
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
from jaxtyping import Int, UInt8

from featlearn._check import InputError, require
from featlearn.distributions.images.folders import ARCHIVES

Pixels = UInt8[np.ndarray, "images height width channels"]
Labels = Int[np.ndarray, " images"]
RECORD = 1 + 3 * 32 * 32
SIDE = 64
"""Of Tiny ImageNet."""
MOST_UNPACKED = 2**30
"""Bytes that a packed file, or all members of an archive, may have."""


def content(path: Path) -> bytes:
    """Return the bytes of a file, decompressed if its name ends in .gz."""
    if path.suffix != ".gz":
        return path.read_bytes()
    try:
        with gzip.open(path) as file:
            data = file.read(MOST_UNPACKED + 1)
        told = f"at most {MOST_UNPACKED} bytes when unpacked"
        require(len(data) <= MOST_UNPACKED, str(path), told, "more")
        return data
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise InputError(str(path), "a whole gzip file", "a damaged one", "Get it again.") from None


def idx(path: Path, data: bytes, axes: int) -> UInt8[np.ndarray, "..."]:
    """Return the array of bytes in a file of MNIST's idx format with `axes` axes."""
    head = 4 + 4 * axes
    require(
        data[:4] == bytes([0, 0, 8, axes]) and len(data) >= head,
        str(path),
        f"an idx file of bytes with {axes} axes",
        f"a file that begins with {data[:4].hex(' ') or 'nothing'}",
    )
    shape = tuple(int(n) for n in np.frombuffer(data, ">i4", axes, offset=4))
    told, there = int(np.prod(shape, dtype=np.int64)), len(data) - head
    require(
        told == there and min(shape) >= 0, str(path), f"{told} bytes as its head says", f"{there}"
    )
    return np.frombuffer(data, np.uint8, told, offset=head).reshape(shape)


def cifar(path: Path, data: bytes) -> tuple[Pixels, Labels]:
    """Return the images and labels in a batch file of CIFAR-10's binary version."""
    require(
        len(data) > 0 and len(data) % RECORD == 0,
        str(path),
        f"records of {RECORD} bytes",
        f"{len(data)} bytes",
        "Get it again: it is cut short, or not of the binary version.",
    )
    records = np.frombuffer(data, np.uint8).reshape(-1, RECORD)
    planes = records[:, 1:].reshape(-1, 3, 32, 32)
    return planes.transpose(0, 2, 3, 1), _classes(path, records[:, 0])


def svhn(path: Path, data: bytes) -> tuple[Pixels, Labels]:
    """Return the images and labels in a MATLAB file of SVHN's cropped digits."""
    from scipy.io import loadmat

    try:
        document = loadmat(io.BytesIO(data), variable_names=("X", "y"))
    except Exception as error:  # scipy raises whatever the broken bytes lead it to
        got = f"{type(error).__name__} on reading"
        raise InputError(str(path), "a whole MATLAB file", got, "Get it again.") from None
    x, y = document.get("X"), document.get("y")
    shaped = x is not None and x.ndim == 4 and x.shape[:3] == (32, 32, 3) and x.dtype == np.uint8
    require(shaped, str(path), "X of 32 x 32 x 3 x n bytes", "none" if x is None else x.shape)
    n = x.shape[3]
    fits = y is not None and y.size == n and bool(np.all((y >= 1) & (y <= 10)))
    require(fits, str(path), f"y of {n} numbers from 1 to 10", "none" if y is None else y.shape)
    return np.ascontiguousarray(x.transpose(3, 0, 1, 2)), y.reshape(-1).astype(np.int64) % 10


def _classes(path: Path, labels: UInt8[np.ndarray, " images"]) -> Labels:
    worst = int(labels.max(initial=0))
    require(worst <= 9, str(path), "classes from 0 to 9", worst)
    return labels.astype(np.int64)


def mnist(
    paths: tuple[Path, Path], data: tuple[bytes, bytes]
) -> tuple[Pixels, Labels]:  # images, labels
    """Return the images and labels in a pair of MNIST's files."""
    pixels, labels = idx(paths[0], data[0], 3), idx(paths[1], data[1], 1)
    require(len(pixels) == len(labels), str(paths[1]), f"{len(pixels)} labels", len(labels))
    return pixels[..., None], _classes(paths[1], labels)


Listing = dict[str, Callable[[], bytes]]
"""Name within the set -> its bytes, read when they are asked for."""


def tiny_imagenet(folder: Path, split: str) -> tuple[Pixels, Labels, tuple[str, ...]]:
    """Return the images, labels and classes of Tiny ImageNet, from a folder, tar or zip file.

    A grey image is given three equal channels. The official test images have no labels, so the
    split "test" is the official validation split.
    """
    archive = next((folder / each for each in ARCHIVES if (folder / each).is_file()), None)
    where = archive or folder
    try:
        listing = _archive(archive) if archive else _files(folder)
    except (tarfile.TarError, zipfile.BadZipFile, EOFError, zlib.error):
        raise InputError(str(where), "a whole archive", "a damaged one", "Get it again.") from None
    train = [name for name in listing if name.startswith("train/") and name.endswith(".JPEG")]
    classes = tuple(sorted({name.split("/")[1] for name in train}))
    require(bool(classes), str(where), "train/<class>/images/*.JPEG", "none")
    if split == "train":
        chosen = {name: name.split("/")[1] for name in train}
    else:
        chosen = _validation(where, folder, listing)
    numbers = {name: place for place, name in enumerate(classes)}
    named = sorted(name for name, of in chosen.items() if of in numbers and name in listing)
    require(bool(named), str(where), f"images for {split}", "none")
    pixels = np.stack([_jpeg(f"{where}: {name}", listing[name]) for name in named])
    return pixels, np.array([numbers[chosen[name]] for name in named]), classes


def _files(folder: Path) -> Listing:
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes for path in found}


def _archive(path: Path) -> Listing:
    """Return the members of a tar or zip file by name, as functions that return their bytes.

    Names are without the common folder ``tiny-imagenet-200``.
    """
    listing: Listing = {}
    if path.suffix == ".zip":
        packed = zipfile.ZipFile(path)
        _require_bounded(path, sum(each.file_size for each in packed.infolist()))
        for name in packed.namelist():
            listing[_short(name)] = lambda name=name: packed.read(name)  # type: ignore[misc]
        return listing
    with tarfile.open(path) as tar:
        size = 0
        for member in tar:
            size += member.size
            _require_bounded(path, size)
            stream = tar.extractfile(member) if member.isfile() else None
            if stream is not None:
                bytes_ = stream.read()
                listing[_short(member.name)] = lambda it=bytes_: it  # type: ignore[misc]
    return listing


def _require_bounded(path: Path, size: int) -> None:
    require(size <= MOST_UNPACKED, str(path), f"at most {MOST_UNPACKED} bytes unpacked", size)


def _short(name: str) -> str:
    return name.removeprefix("./").removeprefix("tiny-imagenet-200/")


def _validation(where: Path, folder: Path, listing: Listing) -> dict[str, str]:
    """Return the class of each labelled validation image by file name."""
    table = "val/val_annotations.txt"
    if table in listing:
        lines = [line.split("\t") for line in listing[table]().decode().splitlines()]
        return {f"val/images/{line[0]}": line[1] for line in lines if len(line) > 1}
    labels = folder / "labels.json"
    require(labels.is_file(), str(where), f"{table} or labels.json beside it", "neither")
    try:
        named = json.loads(labels.read_text(encoding="utf-8"))["val"]
        return {f"val/images/{Path(file).name}": str(of) for file, of in named.items()}
    except (ValueError, KeyError, AttributeError):
        raise InputError(str(labels), 'classes by file under "val"', "something else") from None


def _jpeg(where: str, read: Callable[[], bytes]) -> UInt8[np.ndarray, "height width channels"]:
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(read())) as image:
            size = (image.height, image.width)
            require(size == (SIDE, SIDE), where, f"{SIDE} x {SIDE} pixels", size)
            pixels = np.asarray(image.convert("RGB"))
    except InputError:
        raise
    except Image.DecompressionBombError:
        raise InputError(where, f"{SIDE} x {SIDE} pixels", "far more") from None
    except (OSError, UnidentifiedImageError, SyntaxError, zipfile.BadZipFile, zlib.error):
        raise InputError(where, "a whole JPEG image", "a damaged one", "Get it again.") from None
    require(pixels.shape == (SIDE, SIDE, 3), where, f"{SIDE} x {SIDE} pixels", pixels.shape)
    return pixels
