r"""Draw the strength of a part as one bar: how loose the claim is, and what would be noticed.

    10^4 ... 100 ... 2 . claim . 10^-6 ... 1 % ... 1 ... 100
    <-- slack (sharpness) |  unnoticed (up to D90), then noticed -->

To the left of the claim is the measured value, as far away as the claim is loose. To the right is
D90, the deviation that nine of ten new samples would reject: the bar is hatched below it and full
beyond it.
"""

import math

from markupsafe import Markup

from featlearn.theory.verdict import Part

LEFT, RIGHT, HEIGHT = 130, 260, 18
"""Sizes in units of the drawing."""
SLACK = 4.0
"""Decades of slack that are drawn; what is looser stands at the end."""
LOWEST, HIGHEST = -8.0, 2.0
"""Decades of deviations that are drawn."""
TICKS = ((-6, "10⁻⁶"), (-4, "10⁻⁴"), (-2, "1 %"), (0, "100 %"))


def told(part: Part) -> str:
    """Return the strength of a part in words.

    Example:
        >>> from featlearn.theory.verdict import Grade, Strength
        >>> strength = Strength(grade=Grade.SAMPLED, excluded="powers above 0.1", detectable=0.02)
        >>> told(
        ...     Part(
        ...         name="", relation="<=", measured=1, predicted=1, verdict=None, strength=strength
        ...     )
        ... )
        'sampled; excludes powers above 0.1; nine of ten runs would notice 2 %'
    """
    found = part.strength
    words = [found.grade.value]
    if found.excluded:
        words.append(f"excludes {found.excluded}")
    if math.isfinite(found.detectable):
        words.append(f"nine of ten runs would notice {_share(found.detectable)}")
    if found.sharpness is not None:
        factor = f" (factor {found.sharpness:.3g})" if math.isfinite(found.sharpness) else ""
        words.append(f"{found.sharp}{factor}")
    return "; ".join(words)


def bar(part: Part) -> Markup:
    """Return the bar as SVG; it is empty if a part has neither sharpness nor a detectable
    deviation.
    """
    found = part.strength
    known = math.isfinite(found.detectable)
    if not known and found.sharpness is None:
        return Markup("")
    drawn = [Markup('<rect class="ground" x="0" y="4" width="{}" height="10"/>').format(_END)]
    if found.sharpness is not None:
        at = LEFT * (1 - min(SLACK, math.log10(max(1.0, found.sharpness))) / SLACK)
        drawn.append(
            Markup(
                '<rect class="slack {}" x="{:.1f}" y="4" width="{:.1f}" height="10"/>'
                '<circle class="measured" cx="{:.1f}" cy="9" r="5"/>'
            ).format(found.sharp, at, LEFT - at, at)
        )
    if known:
        at = LEFT + _place(found.detectable)
        drawn.append(
            Markup(
                '<rect class="noticed" x="{0:.1f}" y="4" width="{1:.1f}" height="10"/>'
                '<line class="limit" x1="{0:.1f}" x2="{0:.1f}" y1="0" y2="18"/>'
            ).format(at, _END - at)
        )
    drawn.append(Markup('<line class="claim" x1="{0}" x2="{0}" y1="-2" y2="20"/>').format(LEFT))
    ticks = [(LEFT + _place(10.0**power), text) for power, text in TICKS]
    ticks += [(LEFT - LEFT * math.log10(f) / SLACK, f"{f}×") for f in (2, 100)]
    ticks.append((float(LEFT), "claim"))
    drawn += [
        Markup('<text x="{:.1f}" y="30">{}</text>').format(place, text)
        for place, text in ticks
        if text != "2×"
    ]
    return Markup(
        '<svg class="strength" viewBox="-8 -3 {} 37" role="img" aria-label="Strength: {}">{}</svg>'
    ).format(_END + 16, told(part), Markup("").join(drawn))


_END = LEFT + RIGHT


def _place(deviation: float) -> float:
    """Return the horizontal position of a deviation, to the right of the claim."""
    power = math.log10(deviation) if deviation > 0 else LOWEST
    power = min(HIGHEST, max(LOWEST, power))
    return RIGHT * (power - LOWEST) / (HIGHEST - LOWEST)


def _share(deviation: float) -> str:
    return f"{100 * deviation:.2g} %" if 1e-3 <= deviation < 10 else f"{deviation:.2g}"
