"""Helpers that explain.py of several pitfalls of this group share."""

from __future__ import annotations

import re

from keng.explain.failure import Failure

PACKAGE = re.compile(r"-packages[/\\](?P<name>\w+)")
PYG_PACKAGES = re.compile(
    r"torch[_-](?:scatter|sparse|cluster|spline[_-]conv)|(?:lib)?pyg(?:[_-]lib)?"
)
"""Packages of PyTorch Geometric, whose wheels are for one version of PyTorch each."""


def innermost_package(failure: Failure) -> str:
    """The installed package in whose file it came up, as it is imported."""
    installed = [found for f in failure.frames if (found := PACKAGE.search(f.posix)) is not None]
    return installed[-1]["name"] if installed else ""
