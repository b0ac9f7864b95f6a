"""Tensors of a file as its own library reads them, and as keng writes them after a conversion there and back.

Every tensor is compared by dtype, shape and bytes.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy
import torch

from keng.cli.main import main as keng


class Bits(NamedTuple):
    dtype: str
    shape: tuple[int, ...]
    data: bytes


def converted(path: Path, scratch: Path) -> str:
    """ "equal" and how many tensors, or what differs; empty if the library of the format reads no tensors."""
    for read, ways in READERS:
        try:
            expected = read(path)
        except Exception:
            continue
        if expected:
            return "; ".join(dict.fromkeys(_compared(path, scratch, way, expected) for way in ways))
    return ""


def _compared(path: Path, scratch: Path, ends: tuple[str, ...], expected: dict[str, Bits]) -> str:
    source = path
    for n, end in enumerate(ends):
        out = scratch / f"{n}{end}"
        if not _convert(source, out):
            return f"NOT CONVERTED to {end}"
        source = out
    found = _torch(source)
    if missing := expected.keys() - found.keys():
        return f"MISSING {min(missing)}"
    differing = [name for name, bits in expected.items() if found[name] != bits]
    return f"DIFFERENT {differing[0]}" if differing else f"equal {len(expected)}"


def _convert(source: Path, out: Path) -> bool:
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return keng(["ckpt", "convert", str(source), str(out), "--force"]) == 0


def _torch(path: Path) -> dict[str, Bits]:
    return dict(_tensors(torch.load(path, weights_only=True, map_location="cpu"), ""))


def _state_dict(path: Path) -> dict[str, Bits]:
    """Of a file that is one dict of nothing but tensors."""
    found = torch.load(path, weights_only=True, map_location="cpu")
    values = list(found.values()) if isinstance(found, dict) else [None]
    return _bits(found) if all(isinstance(each, torch.Tensor) for each in values) else {}


def _tensors(value: Any, path: str) -> Iterator[tuple[str, Bits]]:
    if isinstance(value, torch.Tensor):
        yield path, _of(value)
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from _tensors(each, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list | tuple):
        for n, each in enumerate(value):
            yield from _tensors(each, f"{path}.{n}" if path else str(n))


def _of(tensor: torch.Tensor) -> Bits:
    data = tensor.detach().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()
    return Bits(str(tensor.dtype), tuple(tensor.shape), data)


def _bits(tensors: Mapping[str, torch.Tensor]) -> dict[str, Bits]:
    return {name: _of(tensor) for name, tensor in tensors.items()}


def _script(path: Path) -> dict[str, Bits]:
    """The parameters and buffers of a TorchScript module; loading it runs its code."""
    module = torch.jit.load(path, map_location="cpu")
    return _bits(module.state_dict())


def _safetensors(path: Path) -> dict[str, Bits]:
    from safetensors.torch import load_file

    return _bits(load_file(path))


def _numpy(path: Path) -> dict[str, Bits]:
    """The arrays of an npz file that torch has the dtype of."""
    with numpy.load(path, allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    return _bits({name: torch.from_numpy(array) for name, array in arrays.items()})


def _onnx(path: Path) -> dict[str, Bits]:
    import onnx
    from onnx import numpy_helper

    if path.suffix != ".onnx":
        return {}
    weights = onnx.load(path).graph.initializer
    arrays = {each.name: numpy_helper.to_array(each).copy() for each in weights}
    return _bits({name: torch.from_numpy(array) for name, array in arrays.items()})


BACK = (".safetensors", ".pt")
READERS: tuple[tuple[Callable[[Path], dict[str, Bits]], tuple[tuple[str, ...], ...]], ...] = (
    (_state_dict, (BACK, (".pt",))),
    (_torch, ((".pt",),)),
    (_safetensors, (BACK,)),
    (_numpy, (BACK,)),
    (_onnx, (BACK,)),
    (_script, (BACK,)),
)
"""What reads a file, and the formats it is converted to, one after the other."""
