"""An `Experiment` is a law, a network, training and what to record; it is run over seeds."""

from featlearn.experiments.named import NamedExperiment as NamedExperiment
