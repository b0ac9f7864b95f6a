from . import heads, nets  # noqa: F401
from .registry import build, register

__all__ = ["build", "register"]
