"""Settings worth watching, by experiment: values for the knobs, and a sentence on what to watch."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from featlearn.experiments.named import NamedExperiment


@dataclass(frozen=True, kw_only=True)
class Preset:
    """Values for some knobs, and what a visitor can see with them."""

    title: str
    values: Mapping[str, str]
    """Field -> its text, as the knob has it; the other knobs stay as they are."""
    watch: str
    """A sentence."""

    def document(self) -> dict[str, object]:
        """Return the preset as a JSON document for the page."""
        return {"title": self.title, "values": dict(self.values), "watch": self.watch}


def _preset(title: str, watch: str, **values: str) -> Preset:
    return Preset(title=title, values=MappingProxyType(values), watch=watch)


PRESETS: Mapping[str, tuple[Preset, ...]] = MappingProxyType(
    {
        "glasgow2023.xor": (
            _preset(
                "Two phases",
                "The loss stands still while the signal parts grow along the dashed prediction; "
                "then four groups of neurons are there, and the accuracy jumps.",
                d="100",
                width="100",
            ),
            _preset(
                "Too few samples",
                "With a quarter of d samples a step the noise drowns the signal: the cloud widens "
                "and keeps no direction.",
                d="200",
                batch_ratio="0.25",
            ),
            _preset(
                "A large start",
                "With theta = 3 the network begins near its kernel: the accuracy moves and the "
                "neurons hardly turn.",
                d="100",
                width="100",
                theta="3.0",
            ),
        ),
        "frei2022.plane": (
            _preset(
                "Noisy clusters in the plane",
                "Neurons gather at the four centres, although 15 % of the labels are wrong; test "
                "accuracy stays below training accuracy only by the flips.",
            ),
        ),
        "frei2022.high-dimensional": (
            _preset(
                "Benign overfitting",
                "Training accuracy passes the ceiling of 85 % to 100 %, and test accuracy does not "
                "fall: tick the logarithmic time axis.",
                steps="2000",
            ),
        ),
        "xu2023.clusters": (
            _preset(
                "Grokking",
                "After one step every training label is right and the test accuracy is at chance; "
                "it rises much later. Tick the logarithmic time axis.",
                d="4000",
                width="200",
            ),
        ),
        "daniely2020.parity": (
            _preset(
                "One step finds the bits",
                "Across: weight on the relevant bits. After the first step the neurons stand apart "
                "from the others, before the read-out has learned anything.",
                d="101",
                k="3",
                width="200",
                steps="600",
            ),
        ),
        "shi2022.gaussians": (
            _preset(
                "Neurons cover the centres",
                "More and more neurons point to one of the centres; watch the largest cosines.",
                steps="600",
            ),
        ),
        "abbe2022.staircase": (
            _preset(
                "A staircase, step by step",
                "Bit 1 lights up first, then bit 2, then bit 3; the dashed lines are the flow of "
                "the limit, which knows nothing of d.",
            ),
            _preset(
                "A leap",
                "x2 and x3 only occur together with each other: there is no step to climb, and the "
                "loss waits on a plateau.",
                formula="x1 + x1*x2*x3",
            ),
        ),
        "barak2022.parity": (
            _preset(
                "Silence until late",
                "Loss and accuracy say nothing for thousands of steps, while the relevant weights "
                "move away from the others.",
                d="20",
                steps="6000",
            ),
        ),
    }
)


def presets(named: NamedExperiment) -> list[dict[str, object]]:
    """Return the presets of an experiment, as documents for the page."""
    return [each.document() for each in PRESETS.get(named.id, ())]
