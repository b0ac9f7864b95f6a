"""Rule packs: folders of pitfalls that other packages and the project bring.

A package names one by the entry point `keng.pitfalls`, a project by `packs = ["./pits"]` in its configuration, which
is that of the current folder. The code of a pack is imported when one of its rules is needed, and never before.
"""

from __future__ import annotations

import os
import sys

from keng._util import cache, settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

GROUP = "keng.pitfalls"
OFF = "KENG_NO_PACKS"
"""The variable of the environment that leaves all packs out."""
MORE = "KENG_PACKS"
"""The variable of the environment that names the folders of more packs."""
RECIPES = "recipes"
"""The folder of a pack that holds no pitfalls."""


class Pack:
    """`name` is how errors call it, empty for keng's own pitfalls; `home` is its folder, and `module` the name below
    which its modules are imported."""

    def __init__(self, name: str, home: str, module: str) -> None:
        self.name = name
        self.home = home
        self.module = module

    @property
    def said(self) -> str:
        """The beginning of an error about it."""
        return f"pack {self.name}: " if self.name else ""


_active: list[Pack] | None = None


def active() -> list[Pack]:
    """The packs of this process, found once. Raises CatalogError for one whose folder does not exist."""
    global _active
    if _active is None:
        off = bool(os.environ.get(OFF))
        found = [] if off else [*_installed(), *of_project(), *_of_environment()]
        _active = list({pack.home: pack for pack in found}.values())
    return _active


def forget() -> None:
    """Looks for packs again when they are next asked for."""
    global _active
    _active = None


def said_of(path: str) -> str:
    """The beginning of an error at a file, where the file is one of a pack."""
    found = (each for each in active() if path.startswith(os.path.join(each.home, "")))
    return next((each.said for each in found), "")


def groups_of(home: str) -> list[str]:
    """The folder of each group of a pack. Raises OSError."""
    return [
        each.path
        for each in os.scandir(home)
        if each.is_dir() and each.name[0] not in "_." and each.name != RECIPES
    ]


# Packages


def _installed() -> Iterator[Pack]:
    for name, module in _entry_points():
        yield Pack(name, _folder_of(name, module), f"keng_pack_{cache.digest(module)}")


def _entry_points() -> list[tuple[str, str]]:
    """Name and module of each, kept while no folder of packages changes."""
    stamp = cache.digest(*_changes())
    path = cache.path(f"packs-{cache.digest(sys.prefix, *sys.path)}.bin")
    known = cache.kept_table(path, stamp)
    if known is None:
        known = _read_entry_points() if _may_have_any() else []
        cache.keep_table(path, stamp, known)
    return [(name, module) for name, module in known]


def _changes() -> Iterator[str]:
    for folder in sys.path:
        try:
            yield f"{folder} {os.stat(folder or '.').st_mtime_ns}"
        except OSError:
            continue


def _may_have_any() -> bool:
    """Whether an installed package names such an entry point: to ask `importlib.metadata` takes seven times as long."""
    for folder in sys.path:
        try:
            entries = [e.path for e in os.scandir(folder or ".") if e.name.endswith("-info")]
        except OSError:
            continue
        if any(map(_names_one, entries)):
            return True
    return False


def _names_one(package: str) -> bool:
    try:
        with open(os.path.join(package, "entry_points.txt"), "rb") as file:
            return GROUP.encode() in file.read()
    except OSError:
        return False


def _read_entry_points() -> list[tuple[str, str]]:
    from importlib.metadata import entry_points

    return sorted({(each.name, each.value) for each in entry_points(group=GROUP)})


def _folder_of(name: str, module: str) -> str:
    """The folder of a package, without importing it or those above it."""
    from importlib.util import find_spec

    first, *below = module.split(".")
    try:
        spec = find_spec(first)
    except (ImportError, ValueError):
        spec = None
    for place in (spec.submodule_search_locations or ()) if spec is not None else ():
        if os.path.isdir(folder := os.path.join(place, *below)):
            return folder
    raise _wrong(f"pack {name}: no folder for the entry point `{GROUP}`: {module}")


# The project


def of_project() -> list[Pack]:
    """Those of the configuration of the current folder. Raises CatalogError."""
    return list(_of(settings.of_here()))


def named_in(folder: str) -> list[Pack]:
    """Those that the configuration in a folder itself names. Raises CatalogError."""
    return list(_of(settings.of_folders([folder])))


def _of(configuration: tuple[str, dict[str, Any]] | None) -> Iterator[Pack]:
    path, tables = configuration or ("", {})
    words = tables.get("packs")
    for word in words if isinstance(words, list) else ():
        home = os.path.normpath(os.path.join(os.path.dirname(path), str(word)))
        if not os.path.isdir(home):
            raise _wrong(f"{path}: pack {word}: no folder {home}")
        yield Pack(str(word), home, f"keng_pack_{cache.digest(home)}")


def _of_environment() -> Iterator[Pack]:
    for home in filter(None, os.environ.get(MORE, "").split(os.pathsep)):
        if not os.path.isdir(home):
            raise _wrong(f"{MORE}: pack {home}: no such folder")
        home = os.path.abspath(home)
        yield Pack(os.path.basename(home), home, f"keng_pack_{cache.digest(home)}")


def _wrong(says: str) -> Exception:
    from keng.model import CatalogError

    return CatalogError(says)
