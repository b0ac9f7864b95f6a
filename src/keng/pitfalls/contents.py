"""Reads the folder of a pitfall without importing anything of it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from keng._util.toml import load_toml
from keng.model import SEVERITIES, SURFACES, CatalogError, Skipped
from keng.pitfalls.page import read

FIXES = re.compile(r"^@finds\(fixes=True\b", re.MULTILINE)
EXPLAINS = re.compile(r'^@explains\("([^"]+)"\)', re.MULTILINE)
INSPECTS = re.compile(r'^@inspects\("(\w+)"(, sure=False)?\)', re.MULTILINE)
FRONT = {"severity", "since", "needs", "aliases", "raises", "symptoms", "probes"}
ODDS = 0.8
"""How often a message has the cause that its pattern names, where messages.toml says nothing else."""


def row_of(folder: str) -> dict[str, Any]:
    """The fields of `keng.pitfalls.index.Meta`. Raises CatalogError."""
    page = read(Path(folder, "README.md"))
    front = page.front
    if unknown := set(front) - FRONT:
        raise CatalogError(f"{folder}/README.md:1: no key {unknown.pop()!r} in the front matter")
    if front.get("severity") not in SEVERITIES:
        raise CatalogError(f"{folder}/README.md:1: severity is one of {', '.join(SEVERITIES)}")
    return {
        "group": os.path.basename(os.path.dirname(folder)),
        "severity": front["severity"],
        "title": page.title,
        "since": front.get("since", "0.1"),
        "needs": front.get("needs", ""),
        "aliases": _listed(front, "aliases"),
        "raises": _listed(front, "raises"),
        "symptoms": _listed(front, "symptoms"),
        "probes": _listed(front, "probes"),
        "surfaces": tuple(_surfaces(folder)),
        "facts": tuple(_facts(folder)),
    }


def _listed(front: Mapping[str, str], key: str) -> tuple[str, ...]:
    return tuple(filter(None, front.get(key, "").split(", ")))


def _surfaces(folder: str) -> Iterator[str]:
    for surface in SURFACES:
        file = Path(folder, f"{surface}.py")
        if file.exists() or (surface == "explain" and _messages(folder)):
            yield surface
        if surface == "check" and file.exists() and FIXES.search(file.read_text("utf-8")):
            yield "fix"


def _facts(folder: str) -> list[tuple[str, bool]]:
    file = Path(folder, "ckpt.py")
    text = file.read_text("utf-8") if file.exists() else ""
    return [(fact, not doubtful) for fact, doubtful in INSPECTS.findall(text)]


def details_of(folder: str) -> dict[str, Any]:
    """What `keng.pitfalls.index.Index.details` gives. Raises CatalogError."""
    texts = tables(folder, "text.toml")
    return {
        "messages": _messages(folder),
        "functions": _explained(folder),
        "texts": texts,
    }


def _explained(folder: str) -> list[str]:
    """The ids of the messages that functions of explain.py explain."""
    file = Path(folder, "explain.py")
    return EXPLAINS.findall(file.read_text("utf-8")) if file.exists() else []


def _messages(folder: str) -> list[tuple[str, float, list[str], str]]:
    """Id, odds, patterns, and the text that a message contains where no pattern is needed."""
    rows = tables(folder, "messages.toml").get("message", ())
    try:
        return [
            (each["id"], each.get("odds", ODDS), each.get("patterns", []), each.get("contains", ""))
            for each in rows
        ]
    except (KeyError, AttributeError) as error:
        raise CatalogError(f"{folder}/messages.toml:1: a message without {error}") from None


def recorded(folder: str) -> list[dict[str, Any]]:
    """The recorded texts of messages.toml: "by" says who printed them, "text" is the text, "says" what the
    explanation must contain, "ids" the ids of texts that it must be made of."""
    found: list[dict[str, Any]] = tables(folder, "messages.toml").get("recorded", [])
    return found


def tables(folder: str, name: str) -> dict[str, Any]:
    """Those of a file; none where there is no such file."""
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        return {}
    found = load_toml(path)
    if isinstance(found, Skipped):
        raise CatalogError(f"{path}:1: {found.why}")
    return found
