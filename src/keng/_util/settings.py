"""Finds and reads configuration: `[tool.keng]` in pyproject.toml, or keng.toml, in the nearest folder
above."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from keng.model import Skipped

NAMES = ("keng.toml", "pyproject.toml")
FAIL_ON = ("error", "warning", "hint", "never")
"""From which severity on a finding makes a command fail."""
OF_FILES = ("packs", "baseline")
"""Keys that name files; in a file that is extended they count from its folder."""

_left_out = False


def leave_out() -> None:
    """From here on no project configures anything, for commands that must execute nothing of what they
    read."""
    global _left_out
    _left_out = True


def of_here() -> tuple[str, dict[str, Any]] | None:
    """The nearest file that configures the current folder, and its tables. One that cannot be read counts
    as none: `keng check` reports it."""
    if _left_out:
        return None
    try:
        return of_folders(above(os.getcwd()))
    except OSError:
        return None


def of_folders(folders: Iterable[str]) -> tuple[str, dict[str, Any]] | None:
    """The first file in the folders that configures keng, and its tables. Raises OSError."""
    for folder in folders:
        for path in files_in(folder):
            tables = tables_of(path)
            if tables is not None:
                return (path, tables) if isinstance(tables, dict) else None
    return None


def above(folder: str) -> Iterator[str]:
    """The folder and those above it."""
    while True:
        yield folder
        higher = os.path.dirname(folder)
        if higher == folder:
            return
        folder = higher


def files_in(folder: str, word: bytes = b"keng") -> Iterator[str]:
    """The files of a folder that may configure keng and contain a word; the others need not be parsed.
    Raises OSError."""
    for name in NAMES:
        path = os.path.join(folder, name)
        try:
            with open(path, "rb") as file:
                text = file.read()
        except FileNotFoundError:
            continue
        if word in text or (name == "keng.toml" and word == b"keng"):
            yield path


def tables_of(path: str, extended: tuple[str, ...] = ()) -> dict[str, Any] | Skipped | None:
    """What a file says to keng, with what it extends; None where it says nothing, or why it cannot be
    read."""
    from keng._util.toml import load_toml
    from keng.model import Skipped

    tables = load_toml(path)
    if isinstance(tables, Skipped):
        return tables
    if os.path.basename(path) == "pyproject.toml":
        tool = tables.get("tool")
        own = tool.get("keng") if isinstance(tool, dict) else None
        if not isinstance(own, dict):
            return None
        tables = own
    other = tables.get("extend")
    if not isinstance(other, str):
        return tables
    return _extending(path, tables, os.path.join(os.path.dirname(path), other), extended)


def _extending(
    path: str, tables: dict[str, Any], other: str, extended: tuple[str, ...]
) -> dict[str, Any] | Skipped:
    from keng.model import Skipped

    other = os.path.normpath(other)
    if other in extended or other == path:
        return Skipped(path, "`extend` leads back to this file")
    base = tables_of(other, (*extended, path))
    if isinstance(base, Skipped):
        return base
    if base is None:
        return Skipped(path, f"`extend` names {other}, which has no [tool.keng]")
    return _counted_from(os.path.dirname(other), base) | tables


def _counted_from(folder: str, tables: dict[str, Any]) -> dict[str, Any]:
    """The tables with the files that they name as seen from anywhere."""
    found = dict(tables)
    for key in OF_FILES:
        value = tables.get(key)
        if isinstance(value, str):
            found[key] = os.path.abspath(os.path.join(folder, value))
        elif isinstance(value, list):
            found[key] = [os.path.abspath(os.path.join(folder, str(each))) for each in value]
    return found
