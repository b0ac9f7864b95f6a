"""Source code: an image of 0 to 255 is normalized as if it were of 0 to 1."""

from __future__ import annotations

import ast

from keng.model import Hits, say
from keng.pitfalls.data._shared import for_rgb, normalized, read_as_bgr
from keng.rules import finds
from keng.source import Code

FLOATS = frozenset(f"torch.{name}" for name in ("float", "float32", "float16", "half", "float64"))
SCALING = frozenset({"ToTensor", "ConvertImageDtype", "ConvertDtype", "Lambda"})
"""Transforms of torchvision that bring bytes to 0 to 1, or may do so."""
SCALES = frozenset({"div", "div_", "mul", "mul_", "normalize", "true_divide", "convertTo"})


@finds(fixes=True, mentions=["torchvision.transforms.v2.Normalize"])
def normalized_without_scale(code: Code) -> Hits:
    for normalize in code.calls.calls_to("torchvision.transforms.v2.Normalize"):
        kept = _unscaled_before(code, normalize)
        if kept is None or not _below_one(code, code.calls.argument(normalize, "mean", position=0)):
            continue
        fix = code.edits.add_argument(kept, "scale=True", say("divide-by-255"))
        says = say("bytes-not-scaled", step=code.text_of(kept), line=normalize.lineno)
        yield code.hit(kept, says, fix=fix)


@finds(mentions=["Normalize"])
def normalized_as_read(code: Code) -> Hits:
    for call, image, normalize, more in normalized(code):
        if more or not for_rgb(code, normalize) or not _read_by_opencv(code, image):
            continue
        if not _is_divided(code, image):
            text = code.text_of(image)
            says = say("opencv-image-not-scaled", image=text)
            yield code.hit(call, says)


def _read_by_opencv(code: Code, node: ast.expr) -> bool:
    """Whether an image comes from OpenCV on every way, its channels reversed or not."""
    return read_as_bgr(code, node, turned=True)


def _unscaled_before(code: Code, normalize: ast.Call) -> ast.Call | None:
    """The `v2.ToDtype` to floats before a Normalize in one list of transforms, where images come in
    as bytes and nothing between brings them to 0 to 1."""
    steps = getattr(code.tree.parent[normalize], "elts", [])
    before = steps[: steps.index(normalize)] if normalize in steps else []
    names = [code.names.resolve(s.func) if isinstance(s, ast.Call) else "" for s in before]
    known = all(name.startswith("torchvision.transforms.v2.") for name in names)
    short = [name.rpartition(".")[2] for name in names]
    if not known or not {"ToImage", "PILToTensor"} & set(short) or SCALING & set(short):
        return None
    kept = [s for s, name in zip(before, short, strict=True) if name == "ToDtype"]
    if len(kept) != 1 or code.calls.argument(kept[0], "scale", 1) is not None:
        return None
    kind = code.names.resolve(code.calls.argument(kept[0], "dtype", 0))
    return kept[0] if kind in FLOATS else None


def _below_one(code: Code, numbers: ast.expr | None) -> bool:
    """Whether all of a list of plain numbers are at most 1."""
    values = [
        e.value if isinstance(e, ast.Constant) else None for e in getattr(numbers, "elts", [])
    ]
    return bool(values) and all(isinstance(v, (int, float)) and v <= 1 for v in values)


def _is_divided(code: Code, node: ast.expr, depth: int = 8) -> bool:
    """Whether anything on the way to a value may scale it."""
    if isinstance(node, ast.Name) and depth:
        found = [b.value for b in code.flow.reaching_definitions(node)]
        return any(v is not None and _is_divided(code, v, depth - 1) for v in found)
    texts = [n for n in ast.walk(node) if isinstance(n, (ast.BinOp, ast.Call))]
    scales = any(isinstance(n, ast.BinOp) for n in texts)
    calls = [n.func for n in texts if isinstance(n, ast.Call)]
    named = {f.attr if isinstance(f, ast.Attribute) else getattr(f, "id", "") for f in calls}
    inner = [n for n in ast.walk(node) if isinstance(n, ast.Name) and n is not node]
    return (
        scales
        or bool(named & SCALES)
        or any(
            _is_divided(code, n, depth - 1)
            for n in inner
            if depth and code.flow.reaching_definitions(n)
        )
    )
