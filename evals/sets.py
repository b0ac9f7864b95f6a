"""Sets of an exam: a folder each, with a manifest that records where it comes from and its first result."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from keng._util.toml import load_toml
from keng.model import Skipped

HOME = Path(__file__).parent
SURFACES = ("check", "run", "ranks", "env", "explain")
KINDS = ("faulty", "clean")


@dataclass(frozen=True)
class Program:
    """A file, or a folder that is a project. `settings` are its own lines of the manifest."""

    path: Path
    faulty: bool
    settings: dict[str, Any]

    @property
    def name(self) -> str:
        return self.path.stem


@dataclass(frozen=True)
class Set:
    surface: str
    folder: Path

    @property
    def name(self) -> str:
        return self.folder.name

    @cached_property
    def manifest(self) -> dict[str, Any]:
        return read_toml(self.folder / "manifest.toml")

    def programs(self) -> list[Program]:
        """The faulty ones first, each kind by name."""
        settings = self.manifest.get("programs", {})
        return [
            Program(path, kind == "faulty", settings.get(path.stem, {}))
            for kind in KINDS
            for path in sorted((self.folder / kind).glob("*"))
            if path.name != "__pycache__"
        ]


def read_toml(path: Path) -> dict[str, Any]:
    table = load_toml(path)
    if isinstance(table, Skipped):
        raise SystemExit(f"evals: {table.path}: {table.why}")
    return table


def sets_of(surface: str, names: list[str] | None = None) -> list[Set]:
    """The sets of a surface, oldest first; only those named, if any are."""
    folders = [path.parent for path in HOME.glob(f"{surface}/*-[0-9]*/manifest.toml")]
    known = {folder.name: Set(surface, folder) for folder in sorted(folders, key=_order)}
    unknown = [name for name in names or () if name not in known]
    if unknown:
        raise SystemExit(f"evals: no set {unknown[0]} of {surface}; there are {', '.join(known)}")
    return [known[name] for name in names or known]


def _order(folder: Path) -> tuple[str, int]:
    words, _, number = folder.name.rpartition("-")
    return words, int(number)
