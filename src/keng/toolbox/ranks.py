"""Which of several processes this is."""

from __future__ import annotations

import os

from torch import distributed


def grouped() -> bool:
    """Whether this process has joined a process group."""
    return distributed.is_available() and distributed.is_initialized()


def place() -> tuple[int, int]:
    """The number of this process, and of how many: in the process group, or without one as `RANK` and
    `WORLD_SIZE` of the environment say. Raises: ValueError where these are no numbers."""
    if grouped():
        return distributed.get_rank(), distributed.get_world_size()
    return _number("RANK", 0), _number("WORLD_SIZE", 1)


def _number(name: str, default: int) -> int:
    text = os.environ.get(name, "").strip()
    try:
        return int(text or default)
    except ValueError:
        raise ValueError(f"{name} of the environment is no number: {text!r}") from None
