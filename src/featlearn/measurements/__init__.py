"""params -> numbers, one per neuron: signal parts, margins, heavy sets, held-out loss, events."""

from featlearn.measurements.events import first_step as first_step
from featlearn.measurements.held_out import HeldOut as HeldOut
from featlearn.measurements.margins import Margins as Margins
from featlearn.measurements.margins import heavy as heavy
from featlearn.measurements.signal import Parts as Parts
from featlearn.measurements.signal import SignalParts as SignalParts
from featlearn.measurements.signal import on_side_of as on_side_of
from featlearn.measurements.signal import signal_parts as signal_parts
