"""Loads the architectures of a set and its mutants.

An architecture is a function `build_<name>` in a file of `known/` or `unseen/`; it returns the arguments of
`keng.run.probes.Call`. A mutant is an entry of the set's `mutants.toml`: a replaced piece of text.
"""

from __future__ import annotations

import linecache
import re
import types
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomllib
import torch

HERE = Path(__file__).parent
BUILDER = re.compile(r"^def build_(\w+)\(", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """One model with its batch. `kind` is empty for a clean one; a finding may name one of `lines`."""

    name: str
    kind: str
    path: str
    lines: tuple[int, ...]
    build: Callable[[], dict[str, Any]]

    def call(self, seed: int = 0) -> dict[str, Any]:
        torch.manual_seed(seed)
        return self.build()


def clean(which: str) -> Iterator[Case]:
    for file in sorted((HERE / which).glob("*.py")):
        text = file.read_text()
        for name in BUILDER.findall(text):
            yield Case(name, "", str(file), (), _builder(text, str(file), name))


def mutants(which: str) -> Iterator[Case]:
    sources = {
        name: file
        for file in sorted((HERE / which).glob("*.py"))
        for name in BUILDER.findall(file.read_text())
    }
    for entry in tomllib.loads((HERE / which / "mutants.toml").read_text())["mutant"]:
        file = sources[entry["architecture"]]
        yield _mutant(entry, file)


def _mutant(entry: dict[str, Any], file: Path) -> Case:
    architecture, changed = entry["architecture"], entry["new"]
    text = _replaced(file.read_text(), architecture, entry["old"], changed)
    for old, new in entry.get("also", ()):
        text = _replaced(text, architecture, old, new)
    wanted = entry.get("at", changed)
    line = text.count("\n", 0, _place(text, architecture, wanted)) + 1
    name = f"{architecture}: {entry['name']}"
    path = str(file.with_name(f"{file.stem}~{zlib.crc32(name.encode()):08x}.py"))
    lines = (line, *(line + more for more in entry.get("more", ())))
    return Case(name, entry["kind"], path, lines, _builder(text, path, architecture))


def _replaced(text: str, architecture: str, old: str, new: str) -> str:
    at = _place(text, architecture, old)
    return text[:at] + new + text[at + len(old) :]


def _place(text: str, architecture: str, piece: str) -> int:
    """The last place before the builder: architectures of one file may share a line."""
    at = text.rfind(piece, 0, text.index(f"def build_{architecture}("))
    assert at >= 0, (architecture, piece)
    return at


def _builder(text: str, path: str, name: str) -> Callable[[], dict[str, Any]]:
    def build() -> dict[str, Any]:
        linecache.cache[path] = (len(text), None, text.splitlines(True), path)
        module = types.ModuleType(Path(path).stem)
        module.__file__ = path
        exec(compile(text, path, "exec"), module.__dict__)
        result: dict[str, Any] = getattr(module, f"build_{name}")()
        return result

    return build
