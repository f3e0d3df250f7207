"""The kinds of claim and how each is judged; names no paper."""

from featlearn.theory.claim import Claim as Claim
from featlearn.theory.claim import Evidence as Evidence
from featlearn.theory.claim import reported as reported
from featlearn.theory.estimates import clopper_pearson as clopper_pearson
from featlearn.theory.estimates import log_log_slope as log_log_slope
from featlearn.theory.estimates import student as student
from featlearn.theory.estimates import trend as trend
from featlearn.theory.judges.bound import bound as bound
from featlearn.theory.judges.bound import exact_bound as exact_bound
from featlearn.theory.judges.identity import identity as identity
from featlearn.theory.judges.identity import mean_identity as mean_identity
from featlearn.theory.judges.identity import same_mean as same_mean
from featlearn.theory.judges.identity import sampled_identity as sampled_identity
from featlearn.theory.judges.probability import every_algorithm as every_algorithm
from featlearn.theory.judges.probability import high_probability as high_probability
from featlearn.theory.judges.scaling import exponent as exponent
from featlearn.theory.judges.scaling import hidden_constant as hidden_constant
from featlearn.theory.statement import Statement as Statement
from featlearn.theory.verdict import Assumption as Assumption
from featlearn.theory.verdict import FittedConstant as FittedConstant
from featlearn.theory.verdict import Judgement as Judgement
from featlearn.theory.verdict import Kind as Kind
from featlearn.theory.verdict import Part as Part
from featlearn.theory.verdict import Trend as Trend
from featlearn.theory.verdict import Verdict as Verdict
