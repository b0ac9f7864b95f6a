"""A running program: a dataset's length is not that of its data."""

from __future__ import annotations

import ast
from typing import Any

import torch

from keng.model import Hits, Span, say
from keng.rules import watches
from keng.run.facts.loader import LoaderStarted, kept_by, length_of
from keng.run.user_code import line, lineage_of, uses

PLAIN = (list, tuple, range, str, torch.Tensor)
ARRAYS = ("array", "h5py", "numpy", "pandas")


@watches(LoaderStarted)
def rows_never_reached(loader: LoaderStarted) -> Hits:
    """Sequences that the dataset's index picks one item of, and nothing else is done with."""
    if not any(length_of(value) > loader.length for value in _attributes(loader.dataset)):
        return  # without reading any source
    owner = type(loader.dataset)
    kept = kept_by(loader.dataset, lambda value: length_of(value) > 0 and not _is_numbering(value))
    sequences = [each for each in kept if _is_picked_by_index(owner, each.attribute)]
    shorter = [rows for rows in sequences if rows.items > loader.length > 0]
    for rows in shorter if len(shorter) == len(sequences) else ():
        name, length = rows.attribute, loader.length
        says = say("items-not-used", name=name, items=rows.items, length=length)
        where = _length_at(owner) or rows.made
        yield loader.hit(says, where=where, items=rows.items)


def _attributes(dataset: Any) -> list[Any]:
    return list(getattr(dataset, "__dict__", {}).values())


def _is_picked_by_index(owner: type, attribute: str) -> bool:
    index, found = _index_of(owner), uses(owner, attribute)
    return bool(index and found) and all(
        isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Name)
        and node.slice.id == index
        for node in found
    )


def _index_of(owner: type) -> str:
    """The name of the index of `__getitem__`, or nothing."""
    for code, kind in lineage_of(owner):
        for method in code.below(kind, ast.FunctionDef):
            if method.name == "__getitem__":
                names = [arg.arg for arg in code.tree.parameters(method)]
                return names[1] if len(names) == 2 else ""
    return ""


def _length_at(owner: type) -> Span | None:
    """The one `return` of `__len__`."""
    for code, kind in lineage_of(owner):
        for method in code.below(kind, ast.FunctionDef):
            if method.name == "__len__":
                returns = code.below(method, ast.Return)
                return line(code, returns[0]) if len(returns) == 1 else None
    return None


def _is_numbering(value: Any) -> bool:
    """A row of whole numbers may be a table of indices, of which a split uses a part. Only plain containers
    are asked for an item: a sample of a dataset may cost random numbers."""
    if isinstance(value, torch.utils.data.Dataset):
        return False
    kind = type(value)
    if not issubclass(kind, PLAIN) and kind.__module__.partition(".")[0] not in ARRAYS:
        return True
    try:
        return isinstance(value[0], int) or float(value[0]).is_integer()
    except Exception:
        return False
