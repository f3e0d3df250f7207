"""Experiment = distribution + network + training + recording; run it over seeds."""

from featlearn.experiments.named import NamedExperiment as NamedExperiment
