"""Paths as they are told: from where the command was given."""

from __future__ import annotations

import os

HERE = os.path.abspath(".")
"""Where the command was given; a program that is run may go elsewhere."""


def near(path: str) -> str:
    """A path as seen from where the command was given, if it lies below."""
    below = path.startswith(os.path.join(HERE, ""))
    return os.path.relpath(path, HERE) if below else path


def posix(path: str) -> str:
    return os.path.normpath(near(path)).replace(os.sep, "/")
