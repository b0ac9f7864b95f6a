"""Whether PyTorch, or a library that is built on it, took part in an error, as far as a text shows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from keng.explain.frame import Frame
from keng.explain.ownership.judge import (
    ABOUT_TORCH,
    ENFORCED,
    HOMES,
    NEIGHBOURS,
    NUMPYS_WORDS,
    speaks_of_others,
)
from keng.explain.ownership.paths import INSIDE, is_standard, is_torch
from keng.explain.reading.tracebacks import Error
from keng.tables.built_on_torch import is_built_on_torch

PACKAGE = re.compile(r"^(?P<site>.*[/\\](?:site|dist)-packages[/\\])(?P<name>[A-Za-z_]\w*)")
SPELT_OUT = re.compile(r"torch|monai", re.IGNORECASE)
"""What folders of projects are named after."""

OTHERS = re.compile(
    r"[/\\](?:pandas|numpy|scipy|sklearn|matplotlib|tensorflow|keras|django|flask|sqlalchemy)[/\\]"
)
"""Libraries whose folders are known wherever they are."""

PYTHON = re.compile(r"\.py\b|\.ipynb\b|\b[Pp]ython\b|[a-z]Error\b")
MODULE = re.compile(r"^No module named '?(\w+)")
OF_THE_LANGUAGE = frozenset(
    {
        *("SyntaxError", "IndentationError", "TabError", "UnicodeDecodeError"),
        *("ConnectionError", "ConnectionRefusedError"),
    }
)
"""Kinds that tell of the text of a program or of a server, whoever reads it."""
OF_FILES = frozenset(
    {
        *("FileNotFoundError", "PermissionError", "IsADirectoryError", "NotADirectoryError"),
        "FileExistsError",
    }
)
"""Kinds that tell of a file, whoever reads it, if they name one: processes share things that have none."""
CARRIED = frozenset({"triton"})
"""What PyTorch installs and calls itself."""
MOST_LINES = 400
LONGEST_METADATA = 100_000
REQUIRES = re.compile(r"^Requires-Dist: torch\b", re.MULTILINE)


def is_unclear(error: Error, errors: Sequence[Error], rest: Sequence[str]) -> bool:
    """Whether PyTorch may have taken part: a text shows that it or a library on top did, or shows nothing
    that speaks against it. `rest` are the lines around the errors."""
    deepest = error.frames[-1] if error.frames else None
    if deepest is not None and not is_torch(deepest.path) and _runs_on_torch(deepest):
        return True
    if _names_another(error):
        return False
    frames = [frame for each in errors for frame in each.frames]
    said = [*(each.line for each in errors), *(frame.text for frame in frames), *rest[-MOST_LINES:]]
    shown = _shows_torch("\n".join(said)) or any(map(_is_part, frames))
    return shown or not _is_anothers(error, deepest)


def is_of_python(lines: Sequence[str]) -> bool:
    """Whether lines without an exception are of a Python program, which may have to do with PyTorch."""
    text = "\n".join(lines[-MOST_LINES:])
    return PYTHON.search(text) is not None or NEIGHBOURS.search(text) is not None


def raised_in(error: Error) -> str:
    """The function of a library that raised, and its place: "`solve` (gpytorch/utils/cholesky.py:27)"."""
    last = error.frames[-1] if error.frames else None
    inside = INSIDE.search(last.path) if last is not None else None
    if last is None or inside is None or not last.function.isidentifier():
        return ""
    path = inside["inside"].replace("\\", "/")
    return f"`{last.function}` ({path}:{last.line})"


def _is_part(frame: Frame) -> bool:
    """Of PyTorch, of a library on top, or of a project that is called after one."""
    named = is_torch(frame.path) or SPELT_OUT.search(frame.path) is not None
    return named or _runs_on_torch(frame)


def _runs_on_torch(frame: Frame | None) -> bool:
    """Whether a frame is of an installed package that is built on PyTorch: by the table, or by what it says
    that it requires, where it is installed on this machine."""
    found = PACKAGE.match(frame.path) if frame is not None else None
    if found is None:
        return False
    name = found["name"]
    return name in CARRIED or is_built_on_torch(name) or _requires_torch(found["site"], name)


def _requires_torch(site: str, package: str) -> bool:
    try:
        folders = [*Path(site).glob(f"{package.replace('_', '[-_]')}-*.dist-info")][:1]
        texts = [(folder / "METADATA").read_text("utf-8")[:LONGEST_METADATA] for folder in folders]
    except (OSError, ValueError):
        return False
    return any(map(REQUIRES.search, texts))


def _shows_torch(text: str) -> bool:
    return ABOUT_TORCH.search(text) is not None or NEIGHBOURS.search(text) is not None


def _names_another(error: Error) -> bool:
    """Whether the kind of an error says whose it is: another library's, or of a file or a module."""
    missing = MODULE.search(error.message)
    if missing is not None:
        return not is_built_on_torch(missing[1])
    kind, package = error.kind.rpartition(".")[2], error.kind.partition(".")[0]
    if kind in OF_THE_LANGUAGE or (kind in OF_FILES and re.search(r"[\"']", error.message)):
        return True
    foreign = "." in error.kind and HOMES.match(error.kind) is None
    return foreign and package not in CARRIED and not is_built_on_torch(package)


def _is_anothers(error: Error, deepest: Frame | None) -> bool:
    """Whether another library or program raised it, or says what it says in words of its own."""
    if NUMPYS_WORDS.search(error.message) or ENFORCED.match(error.message):
        return True
    if deepest is None:
        return speaks_of_others(error.line)
    installed = PACKAGE.match(deepest.path) or OTHERS.search(deepest.path)
    return installed is not None and not is_standard(deepest.path)
