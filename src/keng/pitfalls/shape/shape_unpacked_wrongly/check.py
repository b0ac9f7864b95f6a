"""Source code: width and height of an image array are unpacked in the wrong order."""

from __future__ import annotations

import ast
import re

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code

WIDTH = re.compile(r"(\w*_)?(w|width)\d?")
HEIGHT = re.compile(r"(\w*_)?(h|height)\d?")
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
        if IMAGE.search(image):
            edits = (code.edits.replace(first, second.id), code.edits.replace(second, first.id))
            fix = Fix(say("height-first"), edits)
            yield code.hit(assigned, say("width-before-height", image=image), fix)


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
