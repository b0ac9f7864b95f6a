"""Helpers that several pitfalls of this group share."""

from __future__ import annotations

import re

from keng.explain.failure import Failure

INSTALLED = re.compile(r"(?:site|dist)-packages/(?!torch/)(\w+)")


def calling_package(failure: Failure, word: str) -> str:
    """The installed package that asks for it; nothing where that is code of the user's own."""
    for frame in reversed(failure.frames):
        found = INSTALLED.search(frame.posix)
        if frame.user or (found is not None and word not in found[1]):
            return "" if found is None else found[1].replace("pytorch_l", "pytorch-l")
    return ""
