"""safetensors: a JSON header, then the bytes of every tensor, each in a place of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping

from keng._util.atomic import aside
from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.formats.safetensors import DTYPES, PAIRED, doubled
from keng.ckpt.nodes import Tensor
from keng.ckpt.writing.contents import Advance, contiguous, joined, put_stretch
from keng.ckpt.writing.values import Change, Written

NAMES = {dtype: name for name, dtype in DTYPES.items()}


def write(
    path: str,
    tensors: Mapping[str, Tensor],
    checkpoint: Checkpoint,
    advance: Advance = lambda count: None,
    change: Change = lambda tensor: tensor,
    metadata: Mapping[str, str] | None = None,
) -> Written:
    """`metadata` are texts of the header. Raises OSError and ValueError."""
    left_out = {name: why for name, tensor in tensors.items() if (why := refusal(name, tensor))}
    if left_out and len(left_out) == len(tensors):
        raise ValueError(f"none of its tensors can be written: {next(iter(left_out.values()))}")
    if checkpoint.byteorder == "big":
        raise ValueError("its numbers are big-endian, and safetensors has none such")
    rows = {name: change(_row(tensor)) for name, tensor in tensors.items() if name not in left_out}
    order = sorted(rows, key=lambda name: -rows[name].itemsize)
    with aside(path) as out:
        out.write(_header(rows, order, metadata or {}))
        for name in order:
            row = rows[name]
            start = row.offset * row.itemsize
            put_stretch(out, checkpoint, row.storage, start, start + row.nbytes, advance)
    return Written(len(rows), left_out)


def refusal(name: str, tensor: Tensor) -> str:
    """Why the format has no place for it; empty where it has."""
    if tensor.dtype not in NAMES:
        return f"safetensors has no {tensor.dtype}"
    if tensor.dtype == PAIRED and not tensor.shape:
        return "safetensors has no single pair of numbers"
    if tensor.turned is not None:
        return "a conjugated or negated view"
    if tensor.wraps:
        return f"a {tensor.kind}, which wraps other tensors"
    if name == "__metadata__" or not _is_unicode(name):
        return "safetensors has no such name"
    return "a tensor without bytes" if tensor.storage.device == "meta" else ""


def _is_unicode(name: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in name)


def _row(tensor: Tensor) -> Tensor:
    if tensor.parts:
        return joined(tensor)
    return tensor if tensor.contiguous else contiguous(tensor)


def _header(rows: Mapping[str, Tensor], order: list[str], metadata: Mapping[str, str]) -> bytes:
    described: dict[str, object] = {"__metadata__": {"format": "pt", **metadata}}
    at = 0
    for name in order:
        row = rows[name]
        end = at + row.nbytes
        shape = doubled(row.shape) if row.dtype == PAIRED else row.shape
        described[name] = {"dtype": NAMES[row.dtype], "shape": shape, "data_offsets": [at, end]}
        at = end
    text = json.dumps(described, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text
