"""Helpers that explain.py of several pitfalls of this group share."""

from __future__ import annotations

import ast
from typing import NamedTuple

from keng.explain.failure import Failure
from keng.model import Fix, Span
from keng.source import Code

GIB = {
    "bytes": 2.0**-30,
    "KiB": 2.0**-20,
    "MiB": 2.0**-10,
    "GiB": 1.0,
    "TiB": 2.0**10,
    "KB": 2.0**-20,
    "MB": 2.0**-10,
    "GB": 1.0,  # Metal's, which are powers of 1024 too
}


def amount(gib: float) -> str:
    """An amount of memory as one reads it, of GiB: "12.5 MiB"."""
    if gib >= 1024:
        return f"{gib / 1024:.4g} TiB"
    return f"{gib:.4g} GiB" if gib >= 1 else f"{gib * 1024:.4g} MiB"


def gib(failure: Failure, name: str) -> float:
    """An amount of memory that a group of the pattern holds ("12.50 MiB"), in GiB; 0 for none."""
    number, _, unit = failure.groups.get(name, "").partition(" ")
    return float(number or 0) * GIB.get(unit, 0.0)


class LeftBehind(NamedTuple):
    """A plain tensor of a module: its path and name there, the dtype or device that `.to()` did not change,
    a fix that registers it as a buffer, and the place of that if another file failed."""

    path: str
    name: str
    what: str
    fix: Fix | None
    place: Span | None


def left_behind(failure: Failure, *of: str) -> LeftBehind | None:
    """The one plain tensor of a module that is of one of these dtypes, or on one of these devices."""
    alike = [s for s in failure.live.plain_tensors if {s.tensor.dtype, s.tensor.device} & {*of}]
    if len(alike) != 1:
        return None
    kept, tensor = alike[0]
    what = tensor.dtype if tensor.dtype in of else tensor.device
    fix, place = failure.ask_class(kept, _registered_as_buffer)
    return LeftBehind(kept.path, kept.name, what, fix, place)


def _registered_as_buffer(code: Code, kind: str, name: str) -> tuple[Fix, Span] | None:
    """A fix that makes a buffer of the one tensor that a class keeps under a name, and its place."""
    stores = [n for n in code.tree.attributes_by_name.get(name, []) if isinstance(n.ctx, ast.Store)]
    kept = code.tree.parent[stores[0]] if len(stores) == 1 else None
    function = code.tree.enclosing_function(stores[0]) if kept is not None else None
    owner = code.classes.self_class(stores[0].value) if kept is not None else None
    if not isinstance(kept, ast.Assign) or len(kept.targets) > 1 or function is None:
        return None
    if getattr(owner, "name", "") != kind or function.name != "__init__":
        return None
    me, value = code.text_of(stores[0].value), code.text_of(kept.value)
    edit = code.edits.replace(kept, f'{me}.register_buffer("{name}", {value})')
    return Fix("Register it as a buffer", (edit,), "shown"), code.span(kept)
