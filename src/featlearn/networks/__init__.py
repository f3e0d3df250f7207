"""Two-layer networks f(x) = scale * sum_j a_j s(w_j.x + b_j), their activations and initial laws.

One description of a network gives its outputs, its features, its linearisation and its kernels.
"""

from featlearn.networks.activations import ACTIVATIONS as ACTIVATIONS
from featlearn.networks.activations import QUADRATIC as QUADRATIC
from featlearn.networks.activations import RELU as RELU
from featlearn.networks.activations import RELU6 as RELU6
from featlearn.networks.activations import TRUNCATED as TRUNCATED
from featlearn.networks.activations import Activation as Activation
from featlearn.networks.activations import activation as activation
from featlearn.networks.gated import Gated as Gated
from featlearn.networks.gated import GatedParams as GatedParams
from featlearn.networks.initialisation import BalancedSigns as BalancedSigns
from featlearn.networks.initialisation import Constant as Constant
from featlearn.networks.initialisation import FoldedGaussian as FoldedGaussian
from featlearn.networks.initialisation import Gaussian as Gaussian
from featlearn.networks.initialisation import Glorot as Glorot
from featlearn.networks.initialisation import Initialisation as Initialisation
from featlearn.networks.initialisation import Signs as Signs
from featlearn.networks.initialisation import Sphere as Sphere
from featlearn.networks.initialisation import Ternary as Ternary
from featlearn.networks.initialisation import Uniform as Uniform
from featlearn.networks.linearised import Expansion as Expansion
from featlearn.networks.linearised import Linearised as Linearised
from featlearn.networks.two_layer import Params as Params
from featlearn.networks.two_layer import TwoLayer as TwoLayer
