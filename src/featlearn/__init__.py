"""featlearn: theorems about feature learning, made executable.

    import featlearn as fl
    law = fl.Parity(d=64, k=2)
    net = fl.TwoLayer(
        d=64, width=64, w=fl.Sphere(radius=0.3), a=fl.Signs(size=0.3), scaling="mean-field"
    )
    how = fl.SGD(eta=0.2, batch=256, steps=120, loss=fl.logistic)
    result = fl.run(fl.Experiment(law, net, how, record=[fl.SignalParts(), fl.HeldOut()]), seeds=3)
    judgement = fl.check("glasgow2023.lemma-C.4")

The names below are imported when first used, so that `import featlearn` is quick; so are the stages
(`fl.training`, `fl.networks`, …), which hold what has no place here. `__init__.pyi` says where each
name comes from.
"""

import importlib
from typing import Any

STAGES = (
    "distributions",
    "networks",
    "training",
    "baselines",
    "measurements",
    "learners",
    "results",
    "experiments",
    "theory",
    "figures",
    "reproduction",
    "papers",
    "report",
    "play",
    "cli",
)
_HOMES = {
    "_check": "InputError",
    "_record": "record",
    "_streams": "stream",
    "baselines": (
        "cosine_features exact_ntk finite_ntk fit linear polynomial random_features rbf split"
    ),
    "distributions": (
        "Batch Boolean Clusters Codes GaussianParity LeakyParity Parity Patterns independent "
        "mixture rotation"
    ),
    "experiments.accelerate": "accelerate",
    "experiments.experiment": "Experiment",
    "experiments.lab": "Lab",
    "experiments.named": "NamedExperiment",
    "experiments.result": "Result",
    "measurements": (
        "Best BitParts CleanAndNoisy ClusterRule ClusterTest Computed Correlations Coverage "
        "Crossing EveryPoint GradientError HeldOut Last LearnedTerms Margins OnPopulation OnSample "
        "PatternParts Reaches Relevance SampleMargins SignalHeavy SignalParts SignalShare crossing "
        "last"
    ),
    "networks": (
        "BalancedSigns Constant Gated Gaussian Glorot Linearised Params Signs Sphere Ternary "
        "TwoLayer Uniform Activation activation QUADRATIC=quadratic RELU=relu RELU6=relu6 "
        "TRUNCATED=truncated"
    ),
    "reproduction.api": "check compare reproduce run search",
    "reproduction.sweep": "sweep",
    "theory": (
        "Claim Control Evidence Hypothesis Judgement Kind Part Reading Statement Text Verdict "
        "bound exact_bound exponent hidden_constant high_probability identity mean_identity "
        "reported same_mean sampled_identity trend"
    ),
    "training": (
        "SGD Adadelta Adam CoupledDecay DecoupledDecay Descent Fresh Loss Momentum ParityStep "
        "Plain Population Quantity Sample Weights log_spaced loss neuron_gradient neurons_of "
        "optax_rule solve_flow spread_evenly"
    ),
    "training.losses": (
        "DOUBLED_LOGISTIC=doubled_logistic HINGE=hinge LOGISTIC=logistic SQUARED=squared"
    ),
}
"""Module -> the names that it gives; NAME=other where the public one is another."""
_HOME = {
    word.partition("=")[2] or word: (f"featlearn.{module}", word.partition("=")[0])
    for module, words in _HOMES.items()
    for word in words.split()
}
__all__ = [*_HOME]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        from featlearn._fields import describe_fields

        module, attribute = _HOME[name]
        value = getattr(importlib.import_module(module), attribute)
        return describe_fields(value) if isinstance(value, type) else value
    if name in STAGES:
        return importlib.import_module(f"featlearn.{name}")
    raise AttributeError(f"module 'featlearn' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *STAGES])
