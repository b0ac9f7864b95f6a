"""The files that are meant by the paths of a command line."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from keng._util.texts import why
from keng.check.gitignore import Ignoring, above
from keng.model import Skipped
from keng.source.native.tokens import NATIVE_ENDS

SKIPPED = {"__pycache__", "__pypackages__", "node_modules", "site-packages"}
"""Folders of other people's code. Hidden ones and virtual environments are skipped as well."""

ENDS = (".py", ".ipynb", *NATIVE_ENDS)
PAGES = (".md", ".markdown")

Excluded = Callable[[str, bool], bool]
"""Whether a path, which is a folder's or a file's, is left out."""


def discover(
    paths: Iterable[str],
    *,
    gitignore: bool = False,
    markdown: bool = False,
    excluded: Excluded = lambda path, folder: False,
) -> Iterator[Path | Skipped]:
    """Each file once, in order; a file that is named is looked at whatever its name. `markdown` looks
    for pages with fenced Python as well."""
    walk = _Walk(excluded, (*ENDS, *PAGES) if markdown else ENDS, set())
    for path in map(Path, paths):
        start = above(path) if gitignore and path.is_dir() else None
        for file in walk.folder(path, start) if path.is_dir() else [path]:
            if isinstance(file, Skipped) or walk.new(file):
                yield file


class _Walk(NamedTuple):
    excluded: Excluded
    ends: tuple[str, ...]
    seen: set[tuple[int, int]]

    def folder(self, folder: Path, ignoring: Ignoring | None) -> Iterator[Path | Skipped]:
        """The programs below a folder. Links are followed, and no folder is entered twice."""
        if not self.new(folder):
            return
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            yield Skipped(str(folder), why(error))
            return
        inside = ignoring.inside(folder) if ignoring else None
        for entry in entries:
            path = folder / entry.name
            is_folder = _is_folder(entry)
            if not self._wanted(entry, is_folder) or self._left_out(path, is_folder, inside):
                continue
            if is_folder:
                yield from self.folder(path, inside)
            else:
                yield path

    def _wanted(self, entry: os.DirEntry[str], is_folder: bool) -> bool:
        if is_folder:
            return not _foreign(entry)
        return entry.name.endswith(self.ends) and os.path.isfile(entry.path)

    def _left_out(self, path: Path, folder: bool, ignoring: Ignoring | None) -> bool:
        return self.excluded(str(path), folder) or (
            ignoring is not None and ignoring.ignores(path, folder)
        )

    def new(self, path: Path) -> bool:
        """Whether a file or folder is met for the first time, by whatever name."""
        try:
            status = path.stat()
        except (OSError, ValueError):
            return True  # what is missing is told when it is read
        key = (status.st_dev, status.st_ino)
        if key in self.seen:
            return False
        self.seen.add(key)
        return True


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
