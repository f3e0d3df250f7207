"""The optional extra: torch, asked for at the moment it is needed and not before."""

import os
from typing import Any

from featlearn._check import MissingResource

Tensor = Any
Device = Any
"""A torch tensor, and a device of torch. The type checker never looks into torch, so that it says
the same without it."""


HOW = "Install it: `make torch`, or `pip install -e '.[vision]'` in the checkout."


def require_torch(where: str) -> Any:
    """The module torch, or one sentence that says what to install."""
    # Matrix products on a GPU repeat bit by bit only with a workspace of fixed size.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    try:
        import torch
    except ImportError:
        raise MissingResource(where, "the extra `vision`", "no torch", HOW) from None
    return torch


def has_gpu() -> bool:
    """Whether a ResNet would be trained on a GPU here; not without torch."""
    try:
        torch = require_torch("has_gpu")
    except MissingResource:
        return False
    return bool(torch.cuda.is_available())
