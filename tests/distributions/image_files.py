"""Tiny sets of images, written in the official formats."""

import gzip
import io
import tarfile
from pathlib import Path

import numpy as np


def idx(array: np.ndarray) -> bytes:
    """MNIST's format."""
    head = bytes([0, 0, 8, array.ndim])
    return head + np.array(array.shape, ">i4").tobytes() + array.astype(np.uint8).tobytes()


def write_mnist(folder: Path, rng: np.random.Generator, images: int = 40, side: int = 28) -> None:
    """Both splits; class 0 is bright above, class 1 below."""
    folder.mkdir(parents=True, exist_ok=True)
    for split in ("train", "t10k"):
        labels = np.arange(images) % 2
        pixels = rng.integers(0, 40, (images, side, side))
        pixels[labels == 0, : side // 2] += 150
        pixels[labels == 1, side // 2 :] += 150
        files = {f"{split}-images-idx3-ubyte.gz": pixels, f"{split}-labels-idx1-ubyte.gz": labels}
        for name, array in files.items():
            (folder / name).write_bytes(gzip.compress(idx(array)))


def cifar_records(rng: np.random.Generator, images: int) -> np.ndarray:
    """Records of CIFAR-10's binary version."""
    records = rng.integers(0, 256, (images, 3073), dtype=np.uint8)
    records[:, 0] = np.arange(images) % 10
    return records


def write_svhn(path: Path, x: np.ndarray, y: np.ndarray) -> None:
    """SVHN's format."""
    from scipy.io import savemat

    savemat(path, {"X": x, "y": y})


def jpeg(colour: int, mode: str = "RGB", side: int = 64) -> bytes:
    """One image of one colour."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.new(mode, (side, side), colour if mode == "L" else (colour, 0, 0)).save(buffer, "JPEG")
    return buffer.getvalue()


def tiny_imagenet_files() -> dict[str, bytes]:
    """Two classes, two images each, one of them grey; one labelled image that is held out."""
    files = {
        f"train/{name}/images/{name}_{i}.JPEG": jpeg(200, "L" if i else "RGB")
        for name in ("n01", "n02")
        for i in range(2)
    }
    files["val/images/val_0.JPEG"] = jpeg(90)
    files["val/val_annotations.txt"] = b"val_0.JPEG\tn02\t0\t0\t63\t63\n"
    return files


def write_tar(path: Path, files: dict[str, bytes]) -> None:
    """All of them in one tar file."""
    with tarfile.open(path, "w") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
