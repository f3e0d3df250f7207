"""Who is x, what is y: one data model per file, with its closed-form truth beside the sampler."""

from featlearn.distributions.batch import Batch as Batch
from featlearn.distributions.batch import Distribution as Distribution
from featlearn.distributions.bits import every_sign as every_sign
from featlearn.distributions.bits import signs as signs
from featlearn.distributions.parity import Parity as Parity
from featlearn.distributions.parity import rotation as rotation
