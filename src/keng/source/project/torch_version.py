"""The oldest torch that a program is written for.

Asked in this order: the metadata that a script carries (PEP 723), the configuration (`torch = ">=2.4"`),
the requirements of the nearest folder that names torch, the torch that is installed beside keng. Nothing
is imported.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from keng._util.toml import load_toml
from keng.model import Skipped

Version = tuple[int, ...]
Known = dict[str, Version | None]
"""By folder."""

REQUIREMENT = re.compile(
    r"\s*torch\s*(?:\[[^\]]*\])?\s*(?:\(?\s*([=<>!~][^;#)]*))?\s*\)?\s*(?:[;#].*)?$"
)
BOUND = re.compile(r"(===|==|~=|>=|<=|!=|>|<|\^|~)?\s*v?(\d+(?:\.\d+)*)")
UPPER = ("<", "<=", "!=")
NAMED = re.compile(r"""["'](torch\b[^"'\n]*)["']""")
LOCKS = ("uv.lock", "poetry.lock", "pdm.lock", "pylock.toml")
STATES = re.compile(
    rf"pyproject\.toml|requirements.*\.txt|setup\.(?:cfg|py)|{'|'.join(map(re.escape, LOCKS))}"
)
"""The names of files that state what a program requires."""
LOCKED = re.compile(r'^name = "torch"\nversion = "(\d[\d.]*)', re.MULTILINE)
SCRIPT = re.compile(r"^[ \t]*# /// script\s*$(.*?)^[ \t]*# ///\s*$", re.MULTILINE | re.DOTALL)
VERSION = re.compile(rb"""^__version__(?:: str)? = ["']([^"']+)""", re.MULTILINE)
QUOTED = re.compile(r"""["']([^"']+)["']""")


def oldest(folder: str, configured: str, known: Known | None = None) -> Version | None:
    """For the programs of a folder; () where any is allowed, None where nothing tells. `known` holds what
    the requirements near other folders say."""
    found = lower_bound(configured)
    if found is None:
        found = required_near(folder, {} if known is None else known)
    return installed() if found is None else found


def of_script(text: str) -> Version | None:
    """What a script says in a comment block `# /// script` (PEP 723) of the torch that it needs."""
    block = SCRIPT.search(text)
    wanted = _of_lines(QUOTED.findall(block[1])) if block else ()
    return next(map(lower_bound, wanted), None)


def at_least(oldest: Version, version: str) -> bool:
    wanted = tuple(map(int, version.split(".")))
    length = max(len(oldest), len(wanted))
    return _filled(oldest, length) >= _filled(wanted, length)


def _filled(version: Version, length: int) -> Version:
    return version + (0,) * (length - len(version))


def lower_bound(specifiers: str) -> Version | None:
    """The oldest version that `>=2.4,<3` and the like allow; () where they say nothing of it, None
    where they are no specifiers. A version alone is meant exactly."""
    parts = [part.strip() for part in specifiers.split(",") if part.strip()]
    bounds = [BOUND.match(part) for part in parts]
    if not bounds:
        return None
    found: list[Version] = [()]
    for bound in bounds:
        if bound is None:
            return None
        if bound[1] not in UPPER:
            found.append(tuple(map(int, bound[2].split("."))))
    return max(found)


def required_near(folder: str, known: Known) -> Version | None:
    """What the requirements say in the nearest folder, from this one up, that names torch. The top of
    a repository ends the search."""
    if folder not in known:
        known[folder] = _required_near(folder, known)
    return known[folder]


def _required_near(folder: str, known: Known) -> Version | None:
    stated = [bound for text in _requirements(folder) if (bound := lower_bound(text)) is not None]
    if stated:
        return min(stated)
    above = os.path.dirname(folder)
    if above == folder or os.path.exists(os.path.join(folder, ".git")):
        return None
    return required_near(above, known)


@cache
def installed() -> Version | None:
    """By the file that torch has for it: `importlib.metadata` takes longer to import than a file to check."""
    from importlib.util import find_spec

    try:
        spec = find_spec("torch")
    except ValueError:  # one that a test has put into sys.modules
        return None
    home = os.path.dirname(spec.origin) if spec is not None and spec.origin else ""
    said = VERSION.search(_read(os.path.join(home, "version.py"))) if home else None
    return lower_bound(said[1].decode()) if said is not None else None


def _requirements(folder: str) -> Iterator[str]:
    """The specifiers that a folder's own files give to torch."""
    try:
        files = sorted(os.listdir(folder))
    except OSError:
        return
    for name in filter(STATES.fullmatch, files):
        path = os.path.join(folder, name)
        if name == "pyproject.toml":
            yield from _of_project(path) if _mentions_torch(path) else ()
            continue
        text = _read(path).decode("utf-8", "replace")
        if name == "setup.py":
            yield from _of_lines(NAMED.findall(text))
        elif name in LOCKS:
            yield from LOCKED.findall(text)
        else:
            yield from _of_lines(text.splitlines())


def _of_project(path: str) -> Iterator[str]:
    tables = load_toml(path)
    if isinstance(tables, Skipped):
        return
    project = _table(tables, "project")
    lists = [project.get("dependencies"), *_table(project, "optional-dependencies").values()]
    lists += _table(tables, "dependency-groups").values()
    for lines in lists:
        if isinstance(lines, list):
            yield from _of_lines(line for line in lines if isinstance(line, str))
    poetry = _table(_table(_table(tables, "tool"), "poetry"), "dependencies").get("torch")
    version = poetry.get("version") if isinstance(poetry, dict) else poetry
    if isinstance(version, str) and version != "*":
        yield version


def _of_lines(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        if (found := REQUIREMENT.match(line)) is not None and found[1]:
            yield found[1]


def _table(tables: dict[str, Any], name: str) -> dict[str, Any]:
    there = tables.get(name)
    return there if isinstance(there, dict) else {}


def _mentions_torch(path: str) -> bool:
    return b"torch" in _read(path)


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""
