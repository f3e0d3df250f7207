"""The image sets: their official files, the addresses of these files, and their checksums.

The md5 checksum of a file is that of its *content*: of the idx file inside a .gz, which may have
been compressed again, and of a .bin or .mat file as it is. A file with as many images as the
official one must have the official checksum. A file with fewer images is taken for an extract in
the same format. A downloaded file is checked by its length and its sha256 before it is unpacked.
"""

from dataclasses import dataclass

DIGITS = tuple("0123456789")


@dataclass(frozen=True, kw_only=True)
class Part:
    """One official file of an image set, with its number of images and its checksum."""

    file: str
    split: str
    """"train" or "test"."""
    images: int
    """How many images it is about."""
    md5: str


@dataclass(frozen=True, kw_only=True)
class Download:
    """One file to download, with its addresses; the first address that answers is used."""

    file: str
    urls: tuple[str, ...]
    sha256: str
    size: int
    """In bytes: what is longer is not read to its end."""
    unpacks: tuple[str, ...] = ()
    """The files to take out of it, where it is an archive that does not stay."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """A set of images: its names, its classes, its official files and where to download them."""

    name: str
    title: str
    home: str
    """Where it is described."""
    terms: str
    """What its makers say of its use."""
    classes: tuple[str, ...]
    parts: tuple[Part, ...] = ()
    downloads: tuple[Download, ...] = ()
    folders: tuple[str, ...] = ()
    """Other names that its folder has when it comes out of the official archive."""


def _mnist(file: str, sha256: str, size: int) -> Download:
    hosts = (
        "https://ossci-datasets.s3.amazonaws.com/mnist",
        "https://storage.googleapis.com/cvdf-datasets/mnist",
        "http://yann.lecun.com/exdb/mnist",
    )
    urls = tuple(f"{host}/{file}.gz" for host in hosts)
    return Download(file=f"{file}.gz", urls=urls, sha256=sha256, size=size)


MNIST = Source(
    name="mnist",
    title="MNIST",
    home="http://yann.lecun.com/exdb/mnist",
    terms="CC BY-SA 3.0",
    classes=DIGITS,
    parts=(
        Part(
            file="train-images-idx3-ubyte",
            split="train",
            images=60_000,
            md5="6bbc9ace898e44ae57da46a324031adb",
        ),
        Part(
            file="train-labels-idx1-ubyte",
            split="train",
            images=60_000,
            md5="a25bea736e30d166cdddb491f175f624",
        ),
        Part(
            file="t10k-images-idx3-ubyte",
            split="test",
            images=10_000,
            md5="2646ac647ad5339dbf082846283269ea",
        ),
        Part(
            file="t10k-labels-idx1-ubyte",
            split="test",
            images=10_000,
            md5="27ae3e4e09519cfbb04c329615203637",
        ),
    ),
    downloads=(
        _mnist(
            "train-images-idx3-ubyte",
            "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
            9_912_422,
        ),
        _mnist(
            "train-labels-idx1-ubyte",
            "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
            28_881,
        ),
        _mnist(
            "t10k-images-idx3-ubyte",
            "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
            1_648_877,
        ),
        _mnist(
            "t10k-labels-idx1-ubyte",
            "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
            4_542,
        ),
    ),
)

_BATCHES = {
    "data_batch_1.bin": "5dd7e06a14cb22eb9f671a540d1b7c25",
    "data_batch_2.bin": "5ea93a67294ea407fff1d09f752e9692",
    "data_batch_3.bin": "942cd6a4bcdd0dd3c604fbe906cb4421",
    "data_batch_4.bin": "ae636b3ba5c66a11e91e8cb52e771fcb",
    "data_batch_5.bin": "53f37980c15c3d472c316c40844f3f0d",
    "test_batch.bin": "803d5f7f4d78ea53de84dbe85f74fb6d",
}

CIFAR10 = Source(
    name="cifar10",
    title="CIFAR-10, binary version",
    home="https://www.cs.toronto.edu/~kriz/cifar.html",
    terms="cite Krizhevsky (2009)",
    classes=(
        "airplane",
        "automobile",
        "bird",
        "cat",
        "deer",
        "dog",
        "frog",
        "horse",
        "ship",
        "truck",
    ),
    parts=tuple(
        Part(file=file, split="test" if "test" in file else "train", images=10_000, md5=md5)
        for file, md5 in _BATCHES.items()
    ),
    downloads=(
        Download(
            file="cifar-10-binary.tar.gz",
            urls=("https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz",),
            sha256="c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd",
            size=170_052_171,
            unpacks=tuple(_BATCHES),
        ),
    ),
    folders=("cifar-10-batches-bin",),
)

_SVHN = "http://ufldl.stanford.edu/housenumbers"

SVHN = Source(
    name="svhn",
    title="SVHN, cropped digits",
    home=_SVHN,
    terms="for non-commercial use",
    classes=DIGITS,
    parts=(
        Part(
            file="train_32x32.mat",
            split="train",
            images=73_257,
            md5="e26dedcc434d2e4c54c9b2d4a06d8373",
        ),
        Part(
            file="test_32x32.mat",
            split="test",
            images=26_032,
            md5="eb5a983be6a315427106f1b164d9cef3",
        ),
    ),
    downloads=(
        Download(
            file="train_32x32.mat",
            urls=(f"{_SVHN}/train_32x32.mat",),
            sha256="435e94d69a87fde4fd4d7f3dd208dfc32cb6ae8af2240d066de1df7508d083b8",
            size=182_040_794,
        ),
        Download(
            file="test_32x32.mat",
            urls=(f"{_SVHN}/test_32x32.mat",),
            sha256="cdce80dfb2a2c4c6160906d0bd7c68ec5a99d7ca4831afa54f09182025b6a75b",
            size=64_275_384,
        ),
    ),
)

TINY_IMAGENET = Source(
    name="tiny-imagenet",
    title="Tiny ImageNet",
    home="http://cs231n.stanford.edu/tiny-imagenet-200.zip",
    terms="for research, as ImageNet",
    classes=(),
    downloads=(
        Download(
            file="tiny-imagenet-200.zip",
            urls=("http://cs231n.stanford.edu/tiny-imagenet-200.zip",),
            sha256="6198c8ae015e2b3e007c7841da39ec069199b9aa3bfa943a462022fe5e43c821",
            size=248_100_043,
        ),
    ),
    folders=("tiny-imagenet-200",),
)

EMBEDDED = Source(
    name="digits",
    title="scikit-learn's digits, 8 x 8",
    home="https://archive.ics.uci.edu/dataset/80",
    terms="CC BY 4.0",
    classes=DIGITS,
)

SOURCES = {each.name: each for each in (EMBEDDED, MNIST, CIFAR10, SVHN, TINY_IMAGENET)}
