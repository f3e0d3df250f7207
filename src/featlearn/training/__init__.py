"""params -> params: losses, update rules, phases, the one loop, what to record and when."""

from featlearn.training.data import Fresh as Fresh
from featlearn.training.data import Population as Population
from featlearn.training.data import Sample as Sample
from featlearn.training.descent import Descent as Descent
from featlearn.training.descent import Dynamics as Dynamics
from featlearn.training.descent import State as State
from featlearn.training.descent import keep as keep
from featlearn.training.gradient import Network as Network
from featlearn.training.gradient import gradient as gradient
from featlearn.training.gradient import objective as objective
from featlearn.training.loop import Plan as Plan
from featlearn.training.loop import Position as Position
from featlearn.training.loop import train as train
from featlearn.training.losses import LOSSES as LOSSES
from featlearn.training.losses import Loss as Loss
from featlearn.training.losses import loss as loss
from featlearn.training.recording import Measurement as Measurement
from featlearn.training.recording import Quantity as Quantity
from featlearn.training.recording import Recording as Recording
from featlearn.training.recording import log_spaced as log_spaced
from featlearn.training.rules import Adadelta as Adadelta
from featlearn.training.rules import Adam as Adam
from featlearn.training.rules import Momentum as Momentum
from featlearn.training.rules import Plain as Plain
