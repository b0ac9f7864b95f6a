"""Source code: infinity is multiplied by a mask, and infinity times zero is NaN."""

from __future__ import annotations

import ast
import re

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code

INFINITE = frozenset({"torch.inf", "numpy.inf", "numpy.Inf", "math.inf"})
MASK = re.compile(r"(?:^|_)masks?(?:_|\d|$)")


@finds
def infinity_times_mask(code: Code) -> Hits:
    """`scores - np.inf * mask`: where the mask is 0, the product is NaN and not 0."""
    if b"inf" not in code.tree.data:
        return
    for product in code.of(ast.BinOp):
        if isinstance(product.op, ast.Mult):
            for one, other in (
                (product.left, product.right),
                (product.right, product.left),
            ):
                if _is_infinite(code, one) and _is_mask(code, other):
                    yield code.hit(product, say("infinity-times-mask", mask=code.text_of(other)))


def _is_infinite(code: Code, node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    match node:
        case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str(text))]):
            return text.lower().lstrip("+-") in ("inf", "infinity")
    return code.names.resolve(node) in INFINITE


def _is_mask(code: Code, node: ast.expr) -> bool:
    """Whether a value is made of zeros and ones: a mask by name, or a comparison as numbers."""
    match node:
        case ast.Name(id=name):
            made = code.flow.assigned_value(node)
            compared = isinstance(made, ast.Call) and _is_mask(code, made)
            return bool(MASK.search(name)) or compared
        case ast.BinOp(left=ast.Constant(value=1 | 1.0), op=ast.Sub(), right=inner):
            return _is_mask(code, inner)
        case ast.Call(func=ast.Attribute(value=ast.Compare(), attr="float" | "int" | "long")):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name() as inner, attr="float")):
            return _is_mask(code, inner)
    return False
