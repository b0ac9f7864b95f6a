"""Source code: width and height of an image array are unpacked in the wrong order."""

from __future__ import annotations

import ast
import re

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.dimensions import Symbol
from keng.source.tree import names_in

WIDTH = re.compile(r"(\w*_)?(w|width)\d?")
HEIGHT = re.compile(r"(\w*_)?(h|height)\d?")
RESIZES = {
    "interpolate": "size",
    "upsample": "size",
    "adaptive_avg_pool2d": "output_size",
    "adaptive_max_pool2d": "output_size",
}
"""Functions that take (height, width) -> the argument."""
IMAGE = re.compile(r"(^|_)(im|img|image|frame|photo|picture|mask)\d?$")


@finds(fixes=True, mentions=["shape"])
def width_before_height(code: Code) -> Hits:
    """`w, h, _ = image.shape` and `w, h = image.shape[:2]`: arrays of images are (height, width, channels)."""
    for assigned in code.of(ast.Assign):
        if not isinstance(assigned.targets[0], ast.Tuple):
            continue
        match assigned:
            case ast.Assign(
                targets=[ast.Tuple(elts=[ast.Name() as first, ast.Name() as second, *rest])],
                value=value,
            ) if WIDTH.fullmatch(first.id) and HEIGHT.fullmatch(second.id):
                pass
            case _:
                continue
        image = _shape_of(value, len(rest))
        if IMAGE.search(image) and not _is_turned_again(code, assigned, first.id, second.id):
            edits = (code.edits.replace(first, second.id), code.edits.replace(second, first.id))
            fix = Fix(say("height-first"), edits)
            yield code.hit(assigned, say("width-before-height", image=image), fix)


def _is_turned_again(code: Code, assigned: ast.Assign, first: str, second: str) -> bool:
    """Whether OpenCV, which takes (width, height), is given the two in the other order: only their names are
    exchanged, and what is computed is right."""
    body = code.tree.enclosing_body(assigned)
    given = [
        a for call in code.below(body, ast.Call) if _is_of_opencv(code, call) for a in call.args
    ]
    pairs = [each.elts for each in given if isinstance(each, ast.Tuple) and len(each.elts) == 2]
    pairs = [each for each in pairs if {first, second} <= names_in(each[0]) | names_in(each[1])]
    return bool(pairs) and all(
        second in names_in(one) and first in names_in(two) for one, two in pairs
    )


def _is_of_opencv(code: Code, call: ast.Call) -> bool:
    return code.names.resolve(call.func).startswith("cv2.")


def _shape_of(value: ast.expr, rest: int) -> str:
    """The name of the image whose shape is unpacked, into three names or the first two."""
    match value:
        case ast.Attribute(attr="shape", value=owner) if rest == 1:
            return getattr(owner, "id", getattr(owner, "attr", ""))
        case ast.Subscript(
            value=ast.Attribute(attr="shape", value=owner),
            slice=ast.Slice(lower=None, upper=ast.Constant(value=2)),
        ) if rest == 0:
            return getattr(owner, "id", getattr(owner, "attr", ""))
    return ""


@finds(mentions=["interpolate", "upsample", "adaptive_avg_pool2d", "adaptive_max_pool2d"])
def resized_to_exchanged_sizes(code: Code) -> Hits:
    """`F.interpolate(x, size=(w, h))`, the sizes of the last and the next to last dimension of a tensor."""
    for name, argument in RESIZES.items():
        for call in code.calls.calls_to(f"torch.nn.functional.{name}"):
            given = code.calls.argument(call, argument, 1)
            size = code.flow.assigned_value(given) or given
            if not isinstance(size, (ast.Tuple, ast.List)) or len(size.elts) != 2:
                continue
            symbols = [code.dimensions.size(each).symbol for each in size.elts]
            if _exchanged(symbols[0], symbols[1]) and given is not None:
                yield code.hit(
                    given, say("sizes-exchanged", size=code.text_of(size), function=name)
                )


def _exchanged(first: Symbol | None, second: Symbol | None) -> bool:
    """Whether two sizes are those of the last dimensions of one tensor, the last one first."""
    if first is None or second is None or len(first) != 2 or len(second) != 2:
        return False
    return first[0] is second[0] and (first[1], second[1]) in ((3, 2), (-1, -2))
