"""Baselines without feature learning: kernels and fixed features, fitted to the optimum.

from featlearn.baselines import exact_ntk, fit
predictor = fit(exact_ntk(network), batch, validation=held_out)
predictor(x), predictor.lam, predictor.chosen.status
"""

from featlearn.baselines.arc_cosine import arc_cosine as arc_cosine
from featlearn.baselines.bounded import Bounded as Bounded
from featlearn.baselines.bounded import best_bounded as best_bounded
from featlearn.baselines.exact_ntk import exact_ntk as exact_ntk
from featlearn.baselines.family import Family as Family
from featlearn.baselines.family import features as features
from featlearn.baselines.family import gram as gram
from featlearn.baselines.finite_ntk import finite_ntk as finite_ntk
from featlearn.baselines.fit import Candidate as Candidate
from featlearn.baselines.fit import Predictor as Predictor
from featlearn.baselines.fit import Score as Score
from featlearn.baselines.fit import fit as fit
from featlearn.baselines.fit import split as split
from featlearn.baselines.forms import kernel_factor as kernel_factor
from featlearn.baselines.gaussian_pairs import pair_expectations as pair_expectations
from featlearn.baselines.kernels import cosine_features as cosine_features
from featlearn.baselines.kernels import linear as linear
from featlearn.baselines.kernels import polynomial as polynomial
from featlearn.baselines.kernels import rbf as rbf
from featlearn.baselines.least_samples import least_samples as least_samples
from featlearn.baselines.random_features import random_features as random_features
