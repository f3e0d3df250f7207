"""The looks: readable on both pages, and told apart without colour where they meet."""

import itertools

import pytest

from featlearn.figures.style import (
    DARK,
    LIGHT,
    PAGE_THEME,
    ROLES,
    Theme,
    for_page,
    for_paper,
    palette,
)

MEETING = [
    ("signal", "opposite", "orthogonal", "paper"),
    ("network", "ntk", "random-features", "linear", "kernel", "floor"),
    ("small-batch", "network", "large-batch", "ntk", "kernel", "random-features", "floor"),
    ("+mu1", "-mu1", "+mu2", "-mu2"),
    ("positive", "negative"),
    ("holds", "fails", "out-of-scope", "undecided", "reference"),
    ("train", "test"),
    ("plain", "own"),
]
"""Roles that stand in one panel."""


def luminance(colour: str) -> float:
    """Relative luminance as the Web's accessibility guidelines (WCAG 2) define it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    """From 1, equal, to 21, black on white."""
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_the_one_of_the_guidelines():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("role", ROLES)
def test_every_role_stands_out_from_its_ground(theme: Theme, role):
    # 3 is what the guidelines ask of graphics.
    assert contrast(theme.colour(role), theme.ground) >= 3


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_text_can_be_read(theme):
    assert contrast(theme.ink, theme.ground) >= 7


@pytest.mark.parametrize("together", MEETING, ids=lambda roles: roles[0])
def test_roles_that_meet_differ_in_more_than_their_colour(together):
    for one, other in itertools.combinations((ROLES[role] for role in together), 2):
        assert (one.dash, one.marker) != (other.dash, other.marker)


def test_a_veil_is_the_colour_seen_through():
    assert LIGHT.veil("plain", 0.2) == "rgba(0,114,178,0.2)"


def test_names_left_for_later_are_all_in_the_palettes():
    names = {PAGE_THEME.colour(role) for role in ROLES} | {
        PAGE_THEME.ink,
        PAGE_THEME.faint,
        PAGE_THEME.ground,
    }
    assert (
        names == {f"@{name}" for name in palette(LIGHT)} == {f"@{name}" for name in palette(DARK)}
    )
    assert palette(DARK)["ground"] == DARK.ground
    assert PAGE_THEME.veil("signal", 0.2) == "@signal/0.2"


def test_one_label_is_written_for_both():
    assert for_page("‖w_{sig}‖^{2} < 1 & $") == "‖w<sub>sig</sub>‖<sup>2</sup> &lt; 1 &amp; $"
    written = for_paper("‖w_{sig}‖^{2} < 1 & $")
    assert written == r"‖w$_{\mathregular{sig}}$‖$^{\mathregular{2}}$ < 1 & \$"
