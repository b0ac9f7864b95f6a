"""What explain.py of several pitfalls of this group share."""

from __future__ import annotations

import re

PYG_PACKAGES = re.compile(
    r"torch[_-](?:scatter|sparse|cluster|spline[_-]conv)|(?:lib)?pyg(?:[_-]lib)?"
)
"""Packages of PyTorch Geometric, whose wheels are for one version of PyTorch each."""
