"""What the .gitignore files say of a folder's entries."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from keng.check.patterns import below, patterns

NAME = ".gitignore"


class Level(NamedTuple):
    """The patterns of one file, which count from its folder."""

    home: str
    lines: tuple[str, ...]


class Ignoring:
    """The files that hold inside of one folder, the farthest first."""

    def __init__(self, levels: tuple[Level, ...] = ()) -> None:
        self._levels = levels

    def inside(self, folder: str | Path) -> Ignoring:
        """With what the folder's own file says."""
        level = _level(os.path.abspath(folder), NAME)
        return Ignoring((*self._levels, level)) if level else self

    def ignores(self, path: str | Path, folder: bool) -> bool:
        """The nearest file that says anything decides, and in it the last pattern that matches."""
        for home, lines in reversed(self._levels):
            there = below(home, str(path))
            if there is None:
                continue
            verdict = patterns(lines).check_file(f"{there}/" if folder else there).include
            if verdict is not None:
                return bool(verdict)
        return False


def above(folder: str | Path) -> Ignoring:
    """What holds in a folder by the files above it, up to the top of its repository. Nothing where
    they ignore the folder itself, which was then asked for by name."""
    folders = _from_top(os.path.abspath(folder))
    exclude = _level(folders[0], os.path.join(".git", "info", "exclude"))
    found = Ignoring((exclude,) if exclude else ())
    for parent, child in pairwise(folders):
        found = found.inside(parent)
        if found.ignores(child, folder=True):
            return Ignoring()
    return found


def _from_top(path: str) -> list[str]:
    """The folders from the top of a repository down to one in it; that one alone where it is in
    none."""
    folders = [path]
    while not os.path.exists(os.path.join(folders[0], ".git")):
        above = os.path.dirname(folders[0])
        if above == folders[0]:
            return [path]
        folders.insert(0, above)
    return folders


def _level(home: str, name: str) -> Level | None:
    try:
        with open(os.path.join(home, name), encoding="utf-8", errors="replace") as file:
            lines = tuple(line.rstrip("\n") for line in file)
    except OSError:
        return None
    lines = tuple(line for line in lines if _is_pattern(line))
    return Level(home, lines) if lines else None


def _is_pattern(line: str) -> bool:
    """What is no pattern says nothing, as for git."""
    if not line.strip() or line.startswith("#"):
        return False
    try:
        patterns((line,))
    except ValueError:
        return False
    return True
