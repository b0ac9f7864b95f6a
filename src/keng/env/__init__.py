"""Judges the machine: probers of pitfalls -> findings. Nothing is changed but by `remove`."""

from keng.env.engine import Check, Result, run
from keng.env.removing import removable, remove

__all__ = ["Check", "Result", "removable", "remove", "run"]
