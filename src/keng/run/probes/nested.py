"""Tensors in nested inputs and outputs: found by their path, replaced in a new copy of the structure."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import torch
from torch import Tensor
from torch.nn.utils.rnn import PackedSequence

from keng.run.probes.texts import Text, text

Path = tuple[Any, ...]
Leaf = Callable[[Path, Tensor], Tensor]
Rows = Callable[[Path, Any], Any]

LABELS = {
    "labels", "label", "target", "targets", "y", "class_labels", "mask_labels", "start_positions",
    "end_positions",
}  # fmt: skip


def name_of(path: Path) -> str:
    """The last name on a path: the parameter or key that holds the tensor."""
    names = [key for key in path if isinstance(key, str)]
    return names[-1] if names else ""


def text_of(path: Path) -> str:
    """A path as a reader writes it: `batch["ids"]`, `features[0]`."""
    first, *rest = path or ("output",)
    return f"{first}" + "".join(f"[{key!r}]" for key in rest)


def quoted(paths: Iterable[Path]) -> str:
    return ", ".join(f"`{text_of(path)}`" for path in paths)


def part_of(path: Path) -> Text:
    """The output, or the part of it at this path."""
    return text("part", path=text_of(path)) if path else text("output")


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Tensor]]:
    """Every tensor with its path; what a packed sequence holds is not a leaf."""
    if isinstance(value, Tensor):
        yield path, value
        return
    for key, inner in _parts(value):
        yield from leaves(inner, (*path, key))


def floats(value: Any) -> list[tuple[Path, Tensor]]:
    """The floating-point tensors of an output that are not losses."""
    return [
        (path, each)
        for path, each in leaves(value)
        if each.is_floating_point() and "loss" not in str(path[-1:])
    ]


def rebuild(value: Any, leaf: Leaf, rows: Rows | None = None, path: Path = ()) -> Any:
    """The same structure with other tensors. `rows` may replace a list as a whole, or return None."""
    if isinstance(value, Tensor):
        return leaf(path, value)
    if isinstance(value, (list, tuple)) and rows is not None:
        replaced = rows(path, value)
        if replaced is not None:
            return replaced
    parts = {key: rebuild(inner, leaf, rows, (*path, key)) for key, inner in _parts(value)}
    return _with_parts(value, parts) if parts else value


def _parts(value: Any) -> list[tuple[Any, Any]]:
    if isinstance(value, PackedSequence):
        return []
    if isinstance(value, Mapping):
        return list(value.items())
    if isinstance(value, (list, tuple)):
        return list(enumerate(value))
    if is_graph(value):
        return list(value.to_dict().items())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [(field.name, getattr(value, field.name)) for field in dataclasses.fields(value)]
    return []


def is_graph(value: Any) -> bool:
    """Whether this is a torch_geometric Data or Batch."""
    return hasattr(value, "edge_index") and hasattr(value, "to_dict")


def _with_parts(value: Any, parts: dict[Any, Any]) -> Any:
    if isinstance(value, tuple):
        ordered = tuple(parts.values())
        return type(value)(*ordered) if hasattr(value, "_fields") else ordered
    if isinstance(value, list):
        return list(parts.values())
    new: Any = copy.copy(value)
    for key, part in parts.items():
        if isinstance(value, Mapping):
            new[key] = part
        elif is_graph(value):
            setattr(new, key, part)
        else:
            object.__setattr__(new, key, part)
    return new


def fresh(value: Any) -> Any:
    """The structure with tensors of its own, without graphs; half precision becomes float32."""
    return rebuild(value, lambda path, each: _single(each.detach().clone()))


def _single(tensor: Tensor) -> Tensor:
    return tensor.float() if tensor.dtype in (torch.float16, torch.bfloat16) else tensor
