"""Paths as they are reported: from where the command was given."""

from __future__ import annotations

import os
import sys

HERE = os.path.abspath(".")
"""Where the command was given; a program that is run may go elsewhere."""


def near(path: str) -> str:
    """A path as seen from where the command was given, if it lies below; a cell of the notebook that runs
    as IPython's own tracebacks call it."""
    if cell := _cell(path):
        return cell
    below = path.startswith(os.path.join(HERE, ""))
    return os.path.relpath(path, HERE) if below else path


def posix(path: str) -> str:
    return os.path.normpath(near(path)).replace(os.sep, "/")


def _cell(path: str) -> str:
    """`Cell In[4]`, where IPython runs and keeps the code of a cell under this path."""
    ipython = sys.modules.get("IPython")
    shell = getattr(ipython, "get_ipython", lambda: None)()
    name = getattr(getattr(shell, "compile", None), "format_code_name", lambda _: None)(path)
    return " ".join(name) if name else ""
