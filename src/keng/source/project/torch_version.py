"""The versions of torch that a program may use: the oldest, and whether a newer one is allowed.

Asked in this order: the metadata that a script carries (PEP 723), the configuration (`torch = ">=2.4"`),
the requirements of the nearest folder that names torch (conda environments among them), the torch that is
installed next to keng. Nothing is imported.
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
Specifiers = tuple[str, ...]
"""What each requirement allows: ">=2.4,<3"."""
Known = dict[str, Specifiers]
"""By folder."""

REQUIREMENT = re.compile(
    r"\s*torch\s*(?:\[[^\]]*\])?\s*(?:\(?\s*([=<>!~][^;#)]*))?\s*\)?\s*(?:[;#].*)?$"
)
CONDA = re.compile(r"\s*-\s*(?:[\w-]+::)?(?:py)?torch\s*(?:=\s*(?=\d)|(?=[=<>!~]))([^\s#]+)")
BOUND = re.compile(r"(===|==|~=|>=|<=|!=|>|<|\^|~)?\s*v?(\d+(?:\.\d+)*)(\.\*)?")
UPPER = ("<", "<=", "!=")
NAMED = re.compile(r"""["'](torch\b[^"'\n]*)["']""")
LOCKS = ("uv.lock", "poetry.lock", "pdm.lock", "pylock.toml")
STATES = re.compile(
    r"pyproject\.toml|requirements.*\.txt|setup\.(?:cfg|py)|(?:env|conda).*\.ya?ml|"
    rf"{'|'.join(map(re.escape, LOCKS))}"
)
"""The names of files that state what a program requires."""
BELOW = frozenset(
    "config configs conda docker env envs environment environments requirements".split()
)
"""Folders in which they are kept."""
LOCKED = re.compile(r'^name = "torch"\nversion = "(\d[\d.]*)', re.MULTILINE)
BEGINS_SCRIPT = "# /// script"
SCRIPT = re.compile(r"^[ \t]*# /// script\s*$(.*?)^[ \t]*# ///\s*$", re.MULTILINE | re.DOTALL)
VERSION = re.compile(rb"""^__version__(?:: str)? = ["']([^"']+)""", re.MULTILINE)
QUOTED = re.compile(r"""["']([^"']+)["']""")


def stated(folder: str, configured: str, known: Known) -> Specifiers:
    """What the programs of a folder require of torch; nothing where nothing tells. `known` holds what the
    requirements near other folders say."""
    if lower_bound(configured) is not None:
        return (configured,)
    return required_near(folder, known) or installed()


def oldest(specifiers: Specifiers) -> Version | None:
    """The oldest version that one of them allows; () where any is allowed, None where nothing tells."""
    return min(
        (bound for each in specifiers if (bound := lower_bound(each)) is not None), default=None
    )


def allow(specifiers: Specifiers, version: str) -> bool:
    """Whether one of them lets in a version, or newer ones. Nothing stated lets in all."""
    wanted = tuple(map(int, version.split(".")))
    return not specifiers or any(_allows(each, wanted) for each in specifiers)


def _allows(specifiers: str, wanted: Version) -> bool:
    bounds = [BOUND.match(part.strip()) for part in specifiers.split(",") if part.strip()]
    return all(bound is None or _reaches(bound, wanted) for bound in bounds)


def _reaches(bound: re.Match[str], wanted: Version) -> bool:
    """Whether a bound of a specifier leaves something from a version on."""
    operation, version = bound[1] or "==", tuple(map(int, bound[2].split(".")))
    if operation == "<":
        return _below(wanted, version)
    if operation in ("^", "~=", "~"):
        kept = {"^": 1, "~": 2, "~=": len(version) - 1}[operation]
        return _below(wanted, _next(version[:kept]))
    if bound[3] and operation == "==":
        return _below(wanted, _next(version))
    exact = operation in ("<=", "==", "===")
    return not exact or not _below(version, wanted)


def _next(version: Version) -> Version:
    return (*version[:-1], version[-1] + 1)


def _below(one: Version, other: Version) -> bool:
    length = max(len(one), len(other))
    return _filled(one, length) < _filled(other, length)


def of_script(text: str) -> Specifiers:
    """What a script says in a comment block `# /// script` (PEP 723) of the torch that it needs."""
    block = SCRIPT.search(text) if BEGINS_SCRIPT in text else None
    return tuple(_of_lines(QUOTED.findall(block[1])))[:1] if block else ()


def at_least(oldest: Version, version: str) -> bool:
    return not _below(oldest, tuple(map(int, version.split("."))))


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


def required_near(folder: str, known: Known) -> Specifiers:
    """What the requirements say in the nearest folder, from this one up, that names torch. The top of
    a repository ends the search."""
    if folder not in known:
        known[folder] = _required_near(folder, known)
    return known[folder]


def _required_near(folder: str, known: Known) -> Specifiers:
    stated = tuple(text for text in _requirements(folder) if lower_bound(text) is not None)
    above = os.path.dirname(folder)
    if stated or above == folder or os.path.exists(os.path.join(folder, ".git")):
        return stated
    return required_near(above, known)


@cache
def installed() -> Specifiers:
    """By the file that torch has for it: `importlib.metadata` takes longer to import than a file to check."""
    from importlib.util import find_spec

    try:
        spec = find_spec("torch")
    except ValueError:  # one that a test has put into sys.modules
        return ()
    home = os.path.dirname(spec.origin) if spec is not None and spec.origin else ""
    said = VERSION.search(_read(os.path.join(home, "version.py"))) if home else None
    return (f">={said[1].decode()}",) if said is not None else ()


def _requirements(folder: str) -> Iterator[str]:
    """The specifiers that a folder's own files give to torch."""
    files = _names_in(folder)
    below = [os.path.join(folder, name) for name in BELOW.intersection(files)]
    kept = [os.path.join(path, name) for path in sorted(below) for name in _names_in(path)]
    for path in [*(os.path.join(folder, name) for name in files), *kept]:
        name = os.path.basename(path)
        if not STATES.fullmatch(name):
            continue
        if name == "pyproject.toml":
            yield from _of_project(path) if _mentions_torch(path) else ()
            continue
        text = _read(path).decode("utf-8", "replace")
        if name == "setup.py":
            yield from _of_lines(NAMED.findall(text))
        elif name in LOCKS:
            yield from LOCKED.findall(text)
        elif name.startswith(("env", "conda")):
            yield from map(_of_conda, CONDA.findall(text))
        else:
            yield from _of_lines(text.splitlines())
            if "\ndependencies:" in text:  # conda's export under another name
                yield from map(_of_conda, CONDA.findall(text))


def _names_in(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


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


def _of_conda(specifier: str) -> str:
    """`1.7.1=py3.8_cuda11` names a version and a build."""
    return specifier.partition("=")[0] + ".*" if specifier[0].isdigit() else specifier


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
