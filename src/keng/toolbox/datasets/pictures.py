"""Flagged samples as pictures."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from keng.toolbox.datasets.samples import Failed, Source, channels_first, is_picture, parts

SIDE = 96


class Picture(NamedTuple):
    sample: int
    name: str
    png: bytes


def pictures(data: Any, flagged: Iterable[tuple[int, str]]) -> list[Picture]:
    """A PNG of the first picture in each of these samples (index, and why it is flagged), its range
    stretched to what a screen shows. Samples are read again, so a stream gives none."""
    source = Source(data)
    drawn = []
    for index, name in flagged if source.indexed else ():
        sample = source.read(index)
        values = [] if isinstance(sample, Failed) else [value for _, value in parts(sample)]
        picture = next((value for value in values if is_picture(value)), None)
        if picture is not None:
            drawn.append(Picture(index, name, png(_small(picture))))
    return drawn


def _small(picture: Tensor) -> Tensor:
    """Bytes of 1 or 3 channels, at most SIDE high and wide. What is not finite is black."""
    values = channels_first(picture[None])[0].float()
    values = values[:3] if len(values) > 1 else values
    finite = values[values.isfinite()]
    low, high = (finite.min(), finite.max()) if finite.numel() else (0.0, 1.0)
    values = ((values - low) / (high - low + 1e-12)).nan_to_num(0.0, 0.0, 0.0)
    scale = SIDE / max(values.shape[1:])
    if scale < 1:
        height, width = (max(1, int(side * scale)) for side in values.shape[1:])
        values = functional.adaptive_avg_pool2d(values[None], (height, width))[0]
    return (values * 255).round().to(torch.uint8)


def png(picture: Tensor) -> bytes:
    """A PNG file of uint8 values: channels (1: gray, 3: RGB), height, width. Source: the PNG
    specification, third edition, 2025."""
    channels, height, width = picture.shape
    rows = picture.permute(1, 2, 0).reshape(height, -1).contiguous().numpy()
    lines = b"".join(b"\0" + row.tobytes() for row in rows)
    head = struct.pack(">IIBBBBB", width, height, 8, 2 if channels == 3 else 0, 0, 0, 0)
    chunks = (b"IHDR", head), (b"IDAT", zlib.compress(lines)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
