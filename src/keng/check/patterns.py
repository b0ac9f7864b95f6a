"""Patterns of paths, as in a .gitignore. The package pathspec is imported when there is one."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


@cache
def patterns(lines: tuple[str, ...]) -> GitIgnoreSpec:
    """Raises ValueError for what is no pattern."""
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(lines)


def seen_from(home: str | Path, path: str) -> str:
    """A path from the folder `home`, with slashes; absolute where no way leads there."""
    try:
        there = os.path.relpath(path or ".", home or ".")
    except ValueError:  # on another drive
        there = os.path.abspath(path)
    return there.replace(os.sep, "/")


def below(home: str | Path, path: str) -> str | None:
    """A path as patterns of the folder `home` see it; None where it does not lie below."""
    there = seen_from(home, path)
    outside = there == ".." or there.startswith("../") or os.path.isabs(there)
    return None if outside else there


def match(lines: Iterable[str], home: str | Path, path: str, folder: bool = False) -> bool:
    """Whether a file, or else a folder, or a folder above it matches."""
    lines = tuple(lines)
    there = below(home, path) if lines else None
    return there is not None and patterns(lines).match_file(f"{there}/" if folder else there)
