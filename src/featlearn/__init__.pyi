"""What `import featlearn as fl` offers, for type checkers; `__init__.py` imports it when used."""

# The verbs: each takes an id, a value, or a function that returns one.
from featlearn._check import InputError as InputError
from featlearn._record import record as record
from featlearn._streams import stream as stream

# Baselines: the same question without feature learning.
from featlearn.baselines import cosine_features as cosine_features
from featlearn.baselines import exact_ntk as exact_ntk
from featlearn.baselines import finite_ntk as finite_ntk
from featlearn.baselines import fit as fit
from featlearn.baselines import linear as linear
from featlearn.baselines import polynomial as polynomial
from featlearn.baselines import random_features as random_features
from featlearn.baselines import rbf as rbf
from featlearn.baselines import split as split

# Laws: who is x, what is y.
from featlearn.distributions import Batch as Batch
from featlearn.distributions import Boolean as Boolean
from featlearn.distributions import Clusters as Clusters
from featlearn.distributions import Codes as Codes
from featlearn.distributions import GaussianParity as GaussianParity
from featlearn.distributions import LeakyParity as LeakyParity
from featlearn.distributions import Parity as Parity
from featlearn.distributions import Patterns as Patterns
from featlearn.distributions import independent as independent
from featlearn.distributions import mixture as mixture
from featlearn.distributions import rotation as rotation
from featlearn.experiments.accelerate import accelerate as accelerate
from featlearn.experiments.experiment import Experiment as Experiment
from featlearn.experiments.lab import Lab as Lab
from featlearn.experiments.named import NamedExperiment as NamedExperiment
from featlearn.experiments.result import Result as Result

# Measurements, and reductions of what was recorded.
from featlearn.measurements import Best as Best
from featlearn.measurements import BitParts as BitParts
from featlearn.measurements import CleanAndNoisy as CleanAndNoisy
from featlearn.measurements import ClusterRule as ClusterRule
from featlearn.measurements import ClusterTest as ClusterTest
from featlearn.measurements import Computed as Computed
from featlearn.measurements import Correlations as Correlations
from featlearn.measurements import Coverage as Coverage
from featlearn.measurements import Crossing as Crossing
from featlearn.measurements import EveryPoint as EveryPoint
from featlearn.measurements import GradientError as GradientError
from featlearn.measurements import HeldOut as HeldOut
from featlearn.measurements import Last as Last
from featlearn.measurements import LearnedTerms as LearnedTerms
from featlearn.measurements import Margins as Margins
from featlearn.measurements import OnPopulation as OnPopulation
from featlearn.measurements import OnSample as OnSample
from featlearn.measurements import PatternParts as PatternParts
from featlearn.measurements import Reaches as Reaches
from featlearn.measurements import Relevance as Relevance
from featlearn.measurements import SampleMargins as SampleMargins
from featlearn.measurements import SignalHeavy as SignalHeavy
from featlearn.measurements import SignalParts as SignalParts
from featlearn.measurements import SignalShare as SignalShare
from featlearn.measurements import crossing as crossing
from featlearn.measurements import last as last

# Networks, their starts and activations.
from featlearn.networks import Activation as Activation
from featlearn.networks import BalancedSigns as BalancedSigns
from featlearn.networks import Constant as Constant
from featlearn.networks import Gated as Gated
from featlearn.networks import Gaussian as Gaussian
from featlearn.networks import Glorot as Glorot
from featlearn.networks import Linearised as Linearised
from featlearn.networks import Params as Params
from featlearn.networks import Signs as Signs
from featlearn.networks import Sphere as Sphere
from featlearn.networks import Ternary as Ternary
from featlearn.networks import TwoLayer as TwoLayer
from featlearn.networks import Uniform as Uniform
from featlearn.networks import activation as activation
from featlearn.reproduction.api import check as check
from featlearn.reproduction.api import compare as compare
from featlearn.reproduction.api import reproduce as reproduce
from featlearn.reproduction.api import run as run
from featlearn.reproduction.api import search as search
from featlearn.reproduction.sweep import sweep as sweep

# Theory: statements, and the judges of their parts.
from featlearn.theory import Claim as Claim
from featlearn.theory import Control as Control
from featlearn.theory import Evidence as Evidence
from featlearn.theory import Hypothesis as Hypothesis
from featlearn.theory import Judgement as Judgement
from featlearn.theory import Kind as Kind
from featlearn.theory import Part as Part
from featlearn.theory import Reading as Reading
from featlearn.theory import Statement as Statement
from featlearn.theory import Text as Text
from featlearn.theory import Verdict as Verdict
from featlearn.theory import bound as bound
from featlearn.theory import exact_bound as exact_bound
from featlearn.theory import exponent as exponent
from featlearn.theory import hidden_constant as hidden_constant
from featlearn.theory import high_probability as high_probability
from featlearn.theory import identity as identity
from featlearn.theory import mean_identity as mean_identity
from featlearn.theory import reported as reported
from featlearn.theory import same_mean as same_mean
from featlearn.theory import sampled_identity as sampled_identity
from featlearn.theory import trend as trend

# Training: phases, losses, update rules, where points come from, decay.
from featlearn.training import SGD as SGD
from featlearn.training import Adadelta as Adadelta
from featlearn.training import Adam as Adam
from featlearn.training import CoupledDecay as CoupledDecay
from featlearn.training import DecoupledDecay as DecoupledDecay
from featlearn.training import Descent as Descent
from featlearn.training import Fresh as Fresh
from featlearn.training import Loss as Loss
from featlearn.training import Momentum as Momentum
from featlearn.training import ParityStep as ParityStep
from featlearn.training import Plain as Plain
from featlearn.training import Population as Population
from featlearn.training import Quantity as Quantity
from featlearn.training import Sample as Sample
from featlearn.training import Weights as Weights
from featlearn.training import log_spaced as log_spaced
from featlearn.training import loss as loss
from featlearn.training import neuron_gradient as neuron_gradient
from featlearn.training import neurons_of as neurons_of
from featlearn.training import optax_rule as optax_rule
from featlearn.training import solve_flow as solve_flow
from featlearn.training import spread_evenly as spread_evenly

# Activations and losses of that name.
relu: Activation
relu6: Activation
truncated: Activation
quadratic: Activation
logistic: Loss
doubled_logistic: Loss
hinge: Loss
squared: Loss
