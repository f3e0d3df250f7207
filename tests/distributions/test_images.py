"""Image files are read exactly as they were written, or refused in one sentence naming the file."""

import gzip
import hashlib
import os
from pathlib import Path

import jax
import numpy as np
import pytest

from featlearn._check import InputError, MissingResource
from featlearn.distributions.images import (
    Images,
    PointSet,
    checksum_of,
    find,
    load,
    state,
    two_classes,
)
from featlearn.distributions.images.sources import SOURCES
from tests.distributions.image_files import (
    cifar_records,
    idx,
    jpeg,
    tiny_imagenet_files,
    write_mnist,
    write_svhn,
    write_tar,
)

REAL = Path(os.environ.get("FEATLEARN_DATA", "../shared/data")).resolve()


OFFICIAL = {"mnist": (60_000, 10_000), "cifar10": (50_000, 10_000), "svhn": (73_257, 26_032)}


@pytest.mark.parametrize("name", OFFICIAL)
def test_sets_have_as_many_images_as_their_makers_say(name):
    parts = [part for part in SOURCES[name].parts if "labels" not in part.file]
    counts = [sum(p.images for p in parts if p.split == split) for split in ("train", "test")]
    assert tuple(counts) == OFFICIAL[name]
    labels = [part for part in SOURCES[name].parts if "labels" in part.file]
    assert [p.images for p in labels] in ([], counts)


@pytest.fixture(autouse=True)
def _no_data_of_this_machine(monkeypatch, tmp_path):
    monkeypatch.delenv("FEATLEARN_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "nothing"))


def test_idx_pixels_and_labels_come_back_from_either_folder(tmp_path, rng):
    pixels, labels = rng.integers(0, 256, (5, 28, 28)), np.array([3, 1, 0, 9, 1])
    folder = tmp_path / "mnist"
    folder.mkdir()
    (folder / "train-images-idx3-ubyte").write_bytes(idx(pixels))
    (folder / "train-labels-idx1-ubyte.gz").write_bytes(gzip.compress(idx(labels)))
    for data in (tmp_path, folder):
        images = load("mnist", "train", data)
        np.testing.assert_array_equal(images.pixels[..., 0], pixels)
        assert images.labels.tolist() == labels.tolist()


def test_the_environment_names_the_folder_when_nobody_else_does(tmp_path, rng, monkeypatch):
    assert find("mnist") is None
    write_mnist(tmp_path / "mnist", rng)
    monkeypatch.setenv("FEATLEARN_DATA", str(tmp_path))
    assert find("mnist") == tmp_path / "mnist"


def test_cifar_planes_become_channels_and_batches_follow_each_other(tmp_path, rng):
    first, second = cifar_records(rng, 3), cifar_records(rng, 2)
    (tmp_path / "data_batch_1.bin").write_bytes(first.tobytes())
    (tmp_path / "data_batch_4.bin").write_bytes(second.tobytes())
    images = load("cifar10", "train", tmp_path)
    assert images.labels.tolist() == [0, 1, 2, 0, 1]
    # Row 5, column 7 of the green plane of the second record.
    assert images.pixels[1, 5, 7, 1] == first[1, 1 + 1024 + 5 * 32 + 7]


def test_the_ten_of_svhn_is_the_digit_zero(tmp_path, rng):
    x = rng.integers(0, 256, (32, 32, 3, 3), dtype=np.uint8)
    write_svhn(tmp_path / "test_32x32.mat", x, np.array([[10], [1], [9]]))
    images = load("svhn", "test", tmp_path)
    assert images.labels.tolist() == [0, 1, 9]
    np.testing.assert_array_equal(images.pixels[2], x[..., 2])


@pytest.mark.parametrize("form", ["folder", "tar"])
def test_tiny_imagenet_comes_from_a_folder_or_a_tar(form, tmp_path):
    files = tiny_imagenet_files()
    if form == "tar":
        write_tar(tmp_path / "images.tar", {f"tiny-imagenet-200/{n}": c for n, c in files.items()})
    for name, content in files.items() if form == "folder" else ():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    train, test = (load("tiny-imagenet", split, tmp_path) for split in ("train", "test"))
    assert train.labels.tolist() == [0, 0, 1, 1]
    assert train.shape == (64, 64, 3)
    grey = train.pixels[1]
    assert int(np.ptp(grey)) == 0  # three equal channels
    assert test.labels.tolist() == [1]


LABELS, IMAGES = idx(np.arange(10_000) % 10), idx(np.zeros((10_000, 1, 1)))


def broken_files(rng):
    """Where, what, and what is said of it."""
    labels = LABELS
    images = idx(np.zeros((2, 28, 28)))
    return {
        "truncated gzip": ("mnist", "t10k-labels-idx1-ubyte.gz", gzip.compress(labels)[:-9]),
        "truncated idx": ("mnist", "t10k-labels-idx1-ubyte", labels[:-1]),
        "not an idx": ("mnist", "t10k-labels-idx1-ubyte", b"hello"),
        "checksum": ("mnist", "t10k-images-idx3-ubyte", IMAGES),
        "other axes": ("mnist", "t10k-labels-idx1-ubyte", images),
        "cut record": ("cifar10", "test_batch.bin", cifar_records(rng, 2).tobytes()[:-5]),
        "class": ("cifar10", "test_batch.bin", bytes([77] * 3073)),
        "not matlab": ("svhn", "test_32x32.mat", b"x" * 500),
        "not an archive": ("tiny-imagenet", "images.tar", b"x" * 500),
    }


EXPECTED = {
    "truncated gzip": "expected a whole gzip file, got a damaged one. Get it again.",
    "truncated idx": "expected 10000 bytes as its head says, got 9999.",
    "not an idx": "expected an idx file of bytes with 1 axes, got a file that begins with "
    "68 65 6c 6c.",
    "checksum": "expected the official md5 2646ac647ad5339dbf082846283269ea, got "
    f"{hashlib.md5(IMAGES).hexdigest()}. Get it again: it is damaged.",
    "other axes": "expected an idx file of bytes with 1 axes, got a file that begins with "
    "00 00 08 03.",
    "cut record": "expected records of 3073 bytes, got 6141 bytes. Get it again: it is cut short, "
    "or not of the binary version.",
    "class": "expected classes from 0 to 9, got 77.",
    "not matlab": "expected a whole MATLAB file, got",
    "not an archive": "expected a whole archive, got a damaged one. Get it again.",
}


@pytest.mark.parametrize("damage", EXPECTED)
def test_a_broken_file_is_named(damage, tmp_path, rng):
    name, file, content = broken_files(rng)[damage]
    if name == "mnist":
        (tmp_path / "t10k-images-idx3-ubyte").write_bytes(IMAGES)
        if "labels" not in file:
            (tmp_path / "t10k-labels-idx1-ubyte").write_bytes(LABELS)
    (tmp_path / file).write_bytes(content)
    with pytest.raises(InputError) as told:
        load(name, "test", tmp_path)
    where, _, said = str(told.value).partition(": ")
    assert where == str(tmp_path / file)
    assert said.startswith(EXPECTED[damage])


def test_a_set_that_is_not_there_says_how_to_get_it(tmp_path):
    with pytest.raises(MissingResource, match=r"`featlearn data get svhn` fetches them\.$"):
        load("svhn", "train", tmp_path)
    with pytest.raises(InputError, match=r"^--data /nowhere: expected a folder, got none\.$"):
        load("svhn", "train", "/nowhere")


def test_a_checksum_follows_the_contents_and_not_the_place(tmp_path, rng):
    for place in ("one", "two"):
        write_mnist(tmp_path / place, np.random.default_rng(1))
    one, two = (checksum_of("mnist", tmp_path / place) for place in ("one", "two"))
    assert one == two
    write_mnist(tmp_path / "two", rng)
    assert checksum_of("mnist", tmp_path / "two") != one


def test_an_extract_is_told_from_the_official_set(tmp_path, rng):
    write_mnist(tmp_path, rng)
    found = state("mnist", tmp_path)
    assert not found.official
    assert found.detail == (
        "0 of 4 files with their official checksum, 4 in the official format but shorter"
    )


def test_shrinking_takes_means_of_whole_squares():
    pixels = np.arange(16, dtype=np.uint8).reshape(1, 4, 4, 1)
    images = Images(name="", pixels=pixels, labels=np.zeros(1, int), classes=("a",))
    assert images.shrunk(2).pixels[0, :, :, 0].tolist() == [[2, 4], [10, 12]]
    with pytest.raises(InputError):
        images.shrunk(3)


def test_a_sample_of_all_points_is_all_of_them_once(key, rng):
    x = rng.normal(size=(7, 2)).astype(np.float32)
    law = PointSet(x=jax.numpy.asarray(x), y=jax.numpy.ones(7))
    drawn = np.asarray(law.sample(7, key=key).x)
    np.testing.assert_array_equal(np.sort(drawn, axis=0), np.sort(x, axis=0))
    weight = law.support().weight
    assert weight is not None
    assert float(weight.sum()) == pytest.approx(1)


def test_two_classes_are_minus_and_plus_one():
    digits = load("digits", "test").only(4, 0)
    law = two_classes(digits, digits.flat.mean(axis=0))
    assert set(np.unique(law.y)) == {-1.0, 1.0}
    np.testing.assert_allclose(np.asarray(law.x).mean(axis=0), 0, atol=1e-6)
    first = load("digits", "test").labels.tolist().index(0)
    where = sum(label in (0, 4) for label in load("digits", "test").labels[:first])
    assert float(law.y[where]) == 1.0


@pytest.mark.skipif(not (REAL / "mnist").is_dir(), reason="the official files are not here")
def test_the_official_mnist_is_what_its_checksums_say():
    test = load("mnist", "test", REAL)
    assert np.bincount(test.labels).tolist() == [
        980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009
    ]  # fmt: skip


def test_a_jpeg_of_another_size_is_refused(tmp_path):
    files = tiny_imagenet_files() | {"train/n01/images/n01_0.JPEG": jpeg(1, side=32)}
    write_tar(tmp_path / "images.tar", files)
    with pytest.raises(InputError, match=r"n01_0\.JPEG: expected 64 x 64 pixels"):
        load("tiny-imagenet", "train", tmp_path)
