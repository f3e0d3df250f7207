"""Data distributions: each file defines one law of inputs x and labels y.

A law has a sampler and, beside it, closed forms of what is known about it: means, labels, errors.
"""

from featlearn.distributions.batch import Batch as Batch
from featlearn.distributions.batch import Distribution as Distribution
from featlearn.distributions.batch import Finite as Finite
from featlearn.distributions.bits import every_sign as every_sign
from featlearn.distributions.bits import signs as signs
from featlearn.distributions.boolean import Boolean as Boolean
from featlearn.distributions.clusters import Clusters as Clusters
from featlearn.distributions.clusters import Draw as Draw
from featlearn.distributions.codes import Codes as Codes
from featlearn.distributions.codes import random_codes as random_codes
from featlearn.distributions.dictionary import Patterns as Patterns
from featlearn.distributions.dictionary import coherence as coherence
from featlearn.distributions.dictionary import incoherent as incoherent
from featlearn.distributions.dictionary import independent as independent
from featlearn.distributions.dictionary import mixture as mixture
from featlearn.distributions.dictionary import parity_counts as parity_counts
from featlearn.distributions.gaussian_parity import GaussianParity as GaussianParity
from featlearn.distributions.leaky_parity import LeakyParity as LeakyParity
from featlearn.distributions.packed import PackedBatch as PackedBatch
from featlearn.distributions.packed import Packs as Packs
from featlearn.distributions.parity import Parity as Parity
from featlearn.distributions.parity import rotation as rotation
from featlearn.distributions.signal_and_noise import SignalAndNoise as SignalAndNoise
from featlearn.distributions.target import Target as Target
from featlearn.distributions.target import target_of as target_of
