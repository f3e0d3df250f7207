"""Statements, the kinds of claim they make, and how claims are judged; nothing here depends on a
particular paper.
"""

from featlearn.results.statistics import clopper_pearson as clopper_pearson
from featlearn.results.statistics import student as student
from featlearn.theory.claim import Claim as Claim
from featlearn.theory.claim import Evidence as Evidence
from featlearn.theory.claim import reported as reported
from featlearn.theory.claim import undecided as undecided
from featlearn.theory.estimates import log_log_slope as log_log_slope
from featlearn.theory.estimates import spread as spread
from featlearn.theory.estimates import trend as trend
from featlearn.theory.events import Event as Event
from featlearn.theory.events import judged as judged
from featlearn.theory.events import judged_each as judged_each
from featlearn.theory.hypotheses import Hypothesis as Hypothesis
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
from featlearn.theory.statement import Control as Control
from featlearn.theory.statement import Statement as Statement
from featlearn.theory.text import Reading as Reading
from featlearn.theory.text import Role as Role
from featlearn.theory.text import Text as Text
from featlearn.theory.text import Unknown as Unknown
from featlearn.theory.verdict import Assumption as Assumption
from featlearn.theory.verdict import FittedConstant as FittedConstant
from featlearn.theory.verdict import Grade as Grade
from featlearn.theory.verdict import Judgement as Judgement
from featlearn.theory.verdict import Kind as Kind
from featlearn.theory.verdict import Part as Part
from featlearn.theory.verdict import ReadingVerdict as ReadingVerdict
from featlearn.theory.verdict import Strength as Strength
from featlearn.theory.verdict import Trend as Trend
from featlearn.theory.verdict import Verdict as Verdict
