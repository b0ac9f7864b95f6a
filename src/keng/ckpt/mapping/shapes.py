"""What it means that an entry has another shape in the file than in the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from keng._util.texts import listed, sentence
from keng.ckpt.mapping.plan import How, Shape, Why
from keng.tables.state_names import POSITIONS, REMADE, VOCABULARIES

COLOURS = (1, 2, 3, 4, 5, 6, 8, 9, 12)
"""Numbers of input channels that a first convolution may have."""
WIDTHS = 3
"""Differing widths that are named of another variant of a model."""


def way(name: str, file: Shape | None, model: Shape | None) -> How | None:
    """How the file's values get the model's shape; None where they cannot."""
    if file is None or model is None or file == model:
        return "copy"
    if _squeezed(file) == _squeezed(model) and 0 not in file:
        return "reshape"
    if len(file) == 2 and file == model[::-1]:
        return "transpose"
    if name.endswith(POSITIONS) and _length(file, model) is not None:
        return "interpolate"
    if len(file) == len(model) and len(file) >= 3 and differing(file, model) == [1]:
        return "channels" if {file[1], model[1]} <= set(COLOURS) else None
    if len(file) in (1, 2) and differing(file, model) == [0] and _rows_of_tokens(name):
        return "rows"
    return None


def why_not(name: str, file: Shape, model: Shape) -> Why:
    if 0 in file and 0 not in model:
        return "sharded"
    if name.endswith(REMADE):
        return "remade"
    only_rows = len(file) == len(model) and differing(file, model) == [0]
    return "head" if only_rows else "shape"


def differing(file: Shape, model: Shape) -> list[int]:
    """The dimensions whose sizes differ; all of them where the shapes have other lengths."""
    if len(file) != len(model):
        return list(range(len(model)))
    return [n for n, (one, other) in enumerate(zip(file, model, strict=True)) if one != other]


def variant(pairs: Iterable[tuple[Shape, Shape]]) -> str:
    """How the widths of two variants of a model differ, in words."""
    sizes: Counter[tuple[int, int]] = Counter()
    for file, model in pairs:
        if len(file) == len(model):
            sizes.update({(file[n], model[n]) for n in differing(file, model)})
    return listed(
        sentence("width_differs", file=file, model=model)
        for (file, model), _ in sizes.most_common(WIDTHS)
    )


def _squeezed(shape: Shape) -> Shape:
    return tuple(size for size in shape if size != 1)


def _length(file: Shape, model: Shape) -> int | None:
    """The dimension of the positions: the one in which the tables differ, not their last."""
    dims = differing(file, model)
    return (
        dims[0] if len(file) == len(model) and len(dims) == 1 and dims[0] < len(file) - 1 else None
    )


def _rows_of_tokens(name: str) -> bool:
    parts = set(name.split("."))
    return bool(parts & set(VOCABULARIES)) or any(part.endswith("_embeddings") for part in parts)
