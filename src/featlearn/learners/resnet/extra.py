"""The optional dependency torch, which is imported only when it is needed."""

import os
from typing import Any

from featlearn._check import MissingResource

Tensor = Any
Device = Any
"""A torch tensor, and a device of torch. The type is Any, so that type checking gives the same
result without torch."""


INSTALL_HINT = "Install it: `make torch`, or `pip install -e '.[vision]'` in the checkout."


def require_torch(where: str) -> Any:
    """Import torch; raise `MissingResource`, which says what to install, if that fails."""
    # Matrix products on a GPU repeat bit by bit only with a workspace of fixed size.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    try:
        import torch
    except ImportError:
        raise MissingResource(where, "the extra `vision`", "no torch", INSTALL_HINT) from None
    return torch


def has_gpu() -> bool:
    """Whether this machine has torch and a GPU that it can use."""
    try:
        torch = require_torch("has_gpu")
    except MissingResource:
        return False
    return bool(torch.cuda.is_available())
