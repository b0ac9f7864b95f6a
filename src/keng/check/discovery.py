"""The files that are meant by the paths of a command line."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from keng.model import Blind

SKIPPED = {"__pycache__", "__pypackages__", "node_modules", "site-packages"}
"""Folders of other people's code. Hidden ones and virtual environments are skipped as well."""


def discover(paths: Iterable[str]) -> Iterator[Path | Blind]:
    """Each file once, in order; a file that is named is looked at whatever its name."""
    seen: set[tuple[int, int]] = set()
    for path in map(Path, paths):
        for file in _walked(path, seen) if path.is_dir() else [path]:
            if isinstance(file, Blind) or _new(file, seen):
                yield file


def _walked(folder: Path, seen: set[tuple[int, int]]) -> Iterator[Path | Blind]:
    """The Python files below a folder. Links are followed, and no folder is entered twice."""
    if not _new(folder, seen):
        return
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield Blind(str(folder), (error.strerror or str(error)).lower())
        return
    for entry in entries:
        if _is_folder(entry):
            if not _foreign(entry):
                yield from _walked(folder / entry.name, seen)
        elif entry.name.endswith(".py") and os.path.isfile(entry.path):
            yield folder / entry.name


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False


def _foreign(entry: os.DirEntry[str]) -> bool:
    return (
        entry.name.startswith(".")
        or entry.name in SKIPPED
        or os.path.exists(os.path.join(entry.path, "pyvenv.cfg"))
    )


def _new(path: Path, seen: set[tuple[int, int]]) -> bool:
    """Whether a file or folder is met for the first time, by whatever name."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return True  # what is missing is told when it is read
    key = (status.st_dev, status.st_ino)
    if key in seen:
        return False
    seen.add(key)
    return True
