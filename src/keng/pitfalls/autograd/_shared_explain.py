"""Helpers that explain.py of several pitfalls of this group share."""

from __future__ import annotations

from keng.explain.failure import Failure


def text_around(failure: Failure) -> str:
    """What is around an error without a traceback; code right below it is read as of its message."""
    return f"{failure.surrounding}\n{failure.message}" if not failure.frames else ""
