"""Several files and an index of which holds which tensor, as Hugging Face's libraries write and read them."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Mapping

from keng._util.atomic import aside
from keng.ckpt.nodes import Tensor
from keng.ckpt.writing.values import Change, Written

Write = Callable[[str, Mapping[str, Tensor]], Written]
"""Writes a file with these tensors."""


def groups(tensors: Mapping[str, Tensor], most: int, change: Change) -> list[list[str]]:
    """Names in their order, as many as `most` bytes hold; tensors that share a storage go together."""
    together: dict[int, list[str]] = {}
    for name, tensor in tensors.items():
        together.setdefault(id(tensor.storage), []).append(name)
    made: list[list[str]] = [[]]
    filled = 0
    for names in together.values():
        size = sum(change(tensors[name]).nbytes for name in names)
        if made[-1] and filled + size > most:
            made.append([])
            filled = 0
        made[-1] += names
        filled += size
    return made


def names_of(path: str, count: int) -> list[str]:
    """ "x-00001-of-00002.safetensors" ..."""
    stem, end = os.path.splitext(path)
    return [f"{stem}-{n:05}-of-{count:05}{end}" for n in range(1, count + 1)]


def index_of(path: str) -> str:
    return f"{path}.index.json"


def write(path: str, tensors: Mapping[str, Tensor], parts: list[list[str]], one: Write) -> Written:
    """All files are written to a folder aside, and renamed when the last is there. Raises what `one` raises,
    and OSError."""
    finals = names_of(path, len(parts))
    folder = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.{os.urandom(4).hex()}")
    left_out: dict[str, str] = {}
    weights: dict[str, str] = {}
    total = written = 0
    os.mkdir(folder)
    try:
        for final, names in zip(finals, parts, strict=True):
            name = os.path.basename(final)
            done = one(os.path.join(folder, name), {key: tensors[key] for key in names})
            written += done.tensors
            left_out |= done.left_out
            weights |= {key: name for key in names if key not in done.left_out}
            total += os.path.getsize(os.path.join(folder, name))
        for final in finals:
            os.replace(os.path.join(folder, os.path.basename(final)), final)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    index = {"metadata": {"total_size": total}, "weight_map": dict(sorted(weights.items()))}
    with aside(index_of(path)) as out:
        out.write(json.dumps(index, indent=2).encode())
    return Written(written, left_out)
