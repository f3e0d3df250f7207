"""Labelled images as read from files: pixels of one byte each, and one class per image.

height, width   pixels          channels   1 (grey) or 3 (red, green, blue)
"""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Int, UInt8

from featlearn._check import require


@dataclass(frozen=True, kw_only=True)
class Images:
    """A set of labelled images; pixels are copied or scaled only by the methods that need it."""

    name: str
    """The set they come from: "mnist", …"""
    pixels: UInt8[np.ndarray, "images height width channels"]
    labels: Int[np.ndarray, " images"]
    """0, 1, … in the order of `classes`."""
    classes: tuple[str, ...]

    def __post_init__(self) -> None:
        many, labels = len(self.pixels), len(self.labels)
        require(many == labels, f"Images({self.name})", f"{many} labels", labels)

    def __len__(self) -> int:
        return len(self.labels)

    @property
    def shape(self) -> tuple[int, int, int]:
        """The height, width and number of channels of every image."""
        _, height, width, channels = self.pixels.shape
        return height, width, channels

    @property
    def scaled(self) -> Float[np.ndarray, "images height width channels"]:
        """The pixels as floating-point numbers from 0 to 1."""
        return self.pixels.astype(np.float32) / np.float32(255)

    @property
    def flat(self) -> Float[np.ndarray, "images inputs"]:
        """The pixels as floating-point numbers from 0 to 1, with one row per image."""
        return self.scaled.reshape(len(self), -1)

    def only(self, *labels: int) -> "Images":
        """Return only the images of the given classes, labelled 0, 1, … in the order given.

        Example:
            >>> pixels = np.zeros((4, 1, 1, 1), np.uint8)
            >>> four = Images(name="", pixels=pixels, labels=np.arange(4), classes=tuple("abcd"))
            >>> two = four.only(3, 1)
            >>> two.labels.tolist(), two.classes
            ([1, 0], ('d', 'b'))
        """
        known = range(len(self.classes))
        require(
            len(set(labels)) == len(labels) > 0 and all(each in known for each in labels),
            f"Images({self.name}).only",
            f"different classes from 0 to {len(known) - 1}",
            labels,
        )
        chosen = np.isin(self.labels, labels)
        names = np.zeros(len(known), self.labels.dtype)
        names[list(labels)] = np.arange(len(labels))
        return replace(
            self,
            pixels=self.pixels[chosen],
            labels=names[self.labels[chosen]],
            classes=tuple(self.classes[each] for each in labels),
        )

    def first(self, images: int) -> "Images":
        """Return the first `images` images, or all if there are fewer."""
        require(images >= 1, f"Images({self.name}).first", "at least 1", images)
        return replace(self, pixels=self.pixels[:images], labels=self.labels[:images])

    def shrunk(self, side: int) -> "Images":
        """Return square images with `side` pixels a side, each the mean of a block of pixels."""
        height, width, channels = self.shape
        factor = height // side
        require(
            side >= 1 and height == width == factor * side,
            f"Images({self.name}).shrunk",
            f"a side that divides {height} x {width}",
            side,
        )
        blocks = self.pixels.reshape(len(self), side, factor, side, factor, channels)
        means = blocks.mean(axis=(2, 4), dtype=np.float32)
        return replace(self, pixels=np.rint(means).astype(np.uint8))
