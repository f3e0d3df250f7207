"""featlearn: theorems about feature learning, made executable.

    import featlearn as fl
    result = fl.run("glasgow2023.xor", d=200, seeds=5)
    judgement = fl.check("glasgow2023.lemma-C.4")

The names below are imported when first used, so that `import featlearn` is quick.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from featlearn._check import InputError as InputError
    from featlearn._record import record as record
    from featlearn._streams import stream as stream
    from featlearn.distributions import Batch as Batch
    from featlearn.distributions import Parity as Parity
    from featlearn.experiments import NamedExperiment as NamedExperiment
    from featlearn.experiments.experiment import Experiment as Experiment
    from featlearn.experiments.run import Result as Result
    from featlearn.networks import Params as Params
    from featlearn.networks import TwoLayer as TwoLayer
    from featlearn.papers.api import check as check
    from featlearn.papers.api import run as run
    from featlearn.papers.api import search as search
    from featlearn.papers.sweep import sweep as sweep
    from featlearn.theory import Assumption as Assumption
    from featlearn.theory import Evidence as Evidence
    from featlearn.theory import Judgement as Judgement
    from featlearn.theory import Kind as Kind
    from featlearn.theory import Part as Part
    from featlearn.theory import Statement as Statement
    from featlearn.theory import Verdict as Verdict
    from featlearn.theory import bound as bound
    from featlearn.theory import identity as identity
    from featlearn.theory import mean_identity as mean_identity
    from featlearn.theory import sampled_identity as sampled_identity

_HOMES = {
    "featlearn._check": ("InputError",),
    "featlearn._record": ("record",),
    "featlearn._streams": ("stream",),
    "featlearn.distributions": ("Batch", "Parity"),
    "featlearn.experiments": ("NamedExperiment",),
    "featlearn.experiments.experiment": ("Experiment",),
    "featlearn.experiments.run": ("Result",),
    "featlearn.networks": ("Params", "TwoLayer"),
    "featlearn.papers.api": ("run", "check", "search"),
    "featlearn.papers.sweep": ("sweep",),
    "featlearn.theory": (
        "Assumption",
        "Evidence",
        "Judgement",
        "Kind",
        "Part",
        "Statement",
        "Verdict",
        "bound",
        "identity",
        "mean_identity",
        "sampled_identity",
    ),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}
__all__ = list(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'featlearn' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
