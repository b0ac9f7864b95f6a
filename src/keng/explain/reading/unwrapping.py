"""One line that a terminal of fixed width has broken into several."""

from __future__ import annotations

NARROWEST = 60
"""Columns of a terminal; shorter lines of one length are no sign of it."""


def is_wrapped(lines: list[str]) -> bool:
    """Whether a terminal of fixed width has broken one line into these: all but the last fill it, save for
    a space that was stripped."""
    width = max(map(len, lines[:-1]), default=0)
    full = all(len(line) >= width - 1 for line in lines[:-1])
    return width >= NARROWEST and full and len(lines[-1]) <= width


def unwrapped(lines: list[str]) -> str:
    width = max(map(len, lines[:-1]))
    return "".join(line.ljust(width) for line in lines[:-1]) + lines[-1]
