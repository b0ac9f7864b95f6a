"""Reads the values of a checkpoint's tensors, a piece at a time: NaN, extremes, norms, channels.

NumPy does the sums. It has no bfloat16, which is the upper half of a float32, nor floats of 8 bits, which are
parts of a float16; what else it does not have is left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import suppress

from keng.ckpt.checkpoint import Checkpoint, Stats
from keng.ckpt.nodes import Path, Tensor
from keng.ckpt.verify import Done, readable
from keng.ckpt.writing.contents import Bytes, rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PIECE = 1 << 22
"""Bytes that are checked at once, or more."""
GATHERED = 1 << 28
"""Bytes of a storage whose tensor does not lie row after row, at most."""
LAYOUTS = {
    **{f"float{n}": f"f{n // 8}" for n in (16, 32, 64)},
    **{f"int{n}": f"i{n // 8}" for n in (8, 16, 32, 64)},
    **{f"uint{n}": f"u{n // 8}" for n in (8, 16, 32, 64)},
    **dict.fromkeys(("bool", "float8_e4m3fn", "float8_e5m2"), "u1"),
    "bfloat16": "u2",
}
"""How NumPy reads a dtype."""
SQUARED = 1e-140, 1e140
"""Numbers between whose squares a float64 can hold."""


class NoNumpy(Exception):  # noqa: N818
    """NumPy is not installed."""


def stats(checkpoint: Checkpoint, done: Done = lambda n, of: None) -> Mapping[Path, Stats]:
    """Of each tensor whose values can be read. Raises NoNumpy."""
    try:
        import numpy
    except ImportError:
        raise NoNumpy from None
    there = [
        (path, t) for path, t in readable(checkpoint).items() if t.dtype in LAYOUTS and t.numel
    ]
    found: dict[Path, Stats] = {}
    for n, (path, tensor) in enumerate(there):
        done(n, len(there))
        if tensor.parts or tensor.contiguous or _is_small(tensor):
            with suppress(ValueError):  # parts are missing
                found[path] = _stats(checkpoint, tensor, numpy)
    return found


def _is_small(tensor: Tensor) -> bool:
    """Of one that lies otherwise its storage is held, and it may be one number many times."""
    return tensor.nbytes <= tensor.storage.nbytes <= GATHERED


def _stats(checkpoint: Checkpoint, tensor: Tensor, numpy: Any) -> Stats:
    nan = inf = 0
    least, greatest, total, norm = math.inf, -math.inf, 0.0, 0.0
    channels = tensor.shape[0] if len(tensor.shape) >= 3 else 0
    sizes = numpy.zeros(channels)
    width = tensor.numel // channels if channels else 0
    at = 0
    for values in _pieces(checkpoint, tensor, numpy):
        finite = numpy.isfinite(values)
        nan += int(numpy.isnan(values).sum())
        inf += int(numpy.isinf(values).sum())
        good = values if finite.all() else values[finite]
        if good.size:
            low, high = float(good.min()), float(good.max())
            least, greatest = min(least, low), max(greatest, high)
            unit = _unit(max(-low, high))
            good = good if unit == 1 else good / unit
            total += float(good.sum()) / tensor.numel * unit
            norm = math.hypot(norm, unit * math.sqrt(float(good @ good)))
        if channels:
            places = numpy.arange(at, at + values.size) // width
            sizes += numpy.bincount(places, numpy.abs(numpy.where(finite, values, 0)), channels)
        at += values.size
    count = max(tensor.numel - nan - inf, 1)
    each = tuple(float(size) / width for size in sizes)
    return Stats(nan, inf, least, greatest, total * (tensor.numel / count), norm, each)


def _unit(largest: float) -> float:
    """What values are divided by, so that neither their sum nor their squares overflow."""
    return 1 if largest == 0 or SQUARED[0] < largest < SQUARED[1] else largest


def _pieces(checkpoint: Checkpoint, tensor: Tensor, numpy: Any) -> Iterator[Any]:
    """The values in order, as float64."""
    layout = ("<" if checkpoint.byteorder == "little" else ">") + LAYOUTS[tensor.dtype]
    negative = tensor.turned is not None and tensor.turned.get("neg") is True
    for piece in _many(rows(checkpoint, tensor)):
        values = _decoded(numpy.frombuffer(piece, layout), tensor.dtype, numpy).astype("f8")
        yield -values if negative else values


def _many(pieces: Iterator[Bytes]) -> Iterator[Bytes]:
    """Short ones together."""
    kept = bytearray()
    for row in pieces:
        if not kept and len(row) >= PIECE:
            yield row
            continue
        kept += row
        if len(kept) >= PIECE:
            yield kept
            kept = bytearray()
    if kept:
        yield kept


def _decoded(values: Any, dtype: str, numpy: Any) -> Any:
    if dtype == "bfloat16":
        return (values.astype("u4") << 16).view("f4")
    if dtype == "float8_e5m2":
        return (values.astype("u2") << 8).view("f2")
    if (
        dtype == "float8_e4m3fn"
    ):  # exponents are lower by 8 than those of a float16, and it has no inf
        sign, rest = values.astype("u2") & 0x80, values.astype("u2") & 0x7F
        halves = (sign << 8 | rest << 7).view("f2").astype("f4") * 256
        return numpy.where(rest == 0x7F, numpy.nan, halves)
    return values
