"""The registry of graph breaks that comes with torch, read without importing torch."""

from __future__ import annotations

import json
from functools import cache
from importlib.util import find_spec
from pathlib import Path

PAGE = "https://meta-pytorch.github.io/compile-graph-break-site/gb/{id}.html"


def page_of(kind: str) -> str:
    """The page of a kind of graph break ("Data-dependent branching"); nothing where the torch that is
    installed has none of that name, or no torch is."""
    number = _numbers().get(kind)
    return PAGE.format(id=number.lower()) if number else ""


@cache
def _numbers() -> dict[str, str]:
    try:
        spec = find_spec("torch")
    except (ImportError, ValueError):
        return {}
    for folder in (spec and spec.submodule_search_locations) or ():
        registry = Path(folder, "_dynamo", "graph_break_registry.json")
        if registry.exists():
            known = json.loads(registry.read_text("utf-8"))
            return {each["Gb_type"]: number for number, all in known.items() for each in all}
    return {}
