"""What several surfaces of module-shadowed share."""

from __future__ import annotations

OURS = ("torch", "torchvision", "torchaudio", "numpy")


PYTHONS = tuple("random copy queue types enum inspect logging warnings typing math".split())
"""Modules of Python that PyTorch imports, and that are good names for a script."""
