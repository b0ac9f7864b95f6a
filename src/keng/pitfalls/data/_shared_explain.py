"""Helpers that explain.py of several pitfalls of this group share."""

from __future__ import annotations

from keng.explain.failure import Failure


def is_from_saving(failure: Failure) -> bool:
    """Whether torch.save raised it, or the code around an error without a traceback saves something."""
    pasted = "torch.save(" in failure.surrounding or ".state_dict()" in failure.surrounding
    return pasted or failure.passed_through("torch/serialization.py")
