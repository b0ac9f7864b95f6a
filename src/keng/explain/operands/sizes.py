"""Two shapes that a text gives for the two sizes of which a message says that they do not match."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import permutations

from keng._util.texts import sentence
from keng.explain.operands.pairs import SIZES as APART
from keng.explain.operands.stated import SIZES, Stated
from keng.model import Message

TARGET = re.compile(
    rf"target size \({SIZES}\) that is different to the input size "
    rf"\({SIZES.replace('sizes', 'input')}\)"
)


def sizes_apart(message: str, text: str, stated: Sequence[Stated]) -> Message | None:
    """The shapes of both operands, and by how much one is larger."""
    apart = APART.search(message)
    if apart is None:
        return None
    pairs = [*_of_a_warning(text)] or list(permutations(dict.fromkeys(stated), 2))
    dim, sizes = int(apart["dim"]), (int(apart["a"]), int(apart["b"]))
    fitting = [
        (one, other)
        for one, other in pairs
        if len(one.shape) == len(other.shape) > dim
        and (one.shape[dim], other.shape[dim]) == sizes
        and one.name
        and other.name
        and one.name != other.name
    ]
    return _said(*fitting[0]) if len(fitting) == 1 else None


def _of_a_warning(text: str) -> list[tuple[Stated, Stated]]:
    """Of a loss that warned of the shapes of its target and its input before it failed."""
    found = TARGET.search(text)
    if found is None:
        return []
    target, given = (tuple(map(int, found[key].split(","))) for key in ("sizes", "input"))
    return [(Stated("output", given), Stated("target", target))]


def _said(one: Stated, other: Stated) -> Message:
    values = {"one": one.name, "shape": one.shape, "other": other.name, "there": other.shape}
    differing = [(a, b) for a, b in zip(one.shape, other.shape, strict=True) if a != b]
    small, large = (one, other) if differing[0][0] < differing[0][1] else (other, one)
    ratios = {max(pair) / min(pair) if min(pair) else 0.0 for pair in differing}
    ratio = next(iter(ratios))
    scaled = len(ratios) == 1 and len(differing) == 2 and ratio >= 2 and ratio == int(ratio)
    if scaled:
        names = {"small": small.name, "large": large.name, "ratio": int(ratio)}
        return sentence("operand_maps_scaled", **values, **names, size=large.shape[-2:])
    return sentence("operand_shapes_apart", **values)
