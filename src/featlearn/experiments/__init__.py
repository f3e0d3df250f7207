"""An `Experiment` combines a law, a network, training phases and measurements; `run` trains it over
several seeds.
"""

from featlearn.experiments.named import NamedExperiment as NamedExperiment
