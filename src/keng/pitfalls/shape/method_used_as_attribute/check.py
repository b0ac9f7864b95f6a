"""Source code: a method is named and not called, or an attribute is called."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code, Kind

ACTS = {
    "step": {Kind.OPTIMIZER, Kind.SCHEDULER},
    "zero_grad": {Kind.OPTIMIZER, Kind.MODULE},
    "backward": {Kind.TENSOR},
    "train": {Kind.MODULE},
    "eval": {Kind.MODULE},
}
"""Methods that do something, and what has them."""
READS = ("item", "tolist", "numpy", "detach", "cpu", "cuda", "numel")
"""Methods of a tensor that give a value, and that are no attributes of what else a model may return."""
TAKES_VALUES = frozenset(["builtins.print", "builtins.float", "builtins.int", "builtins.round"])


@finds(fixes=True, mentions=[*ACTS, *READS])
def not_done(code: Code) -> Hits:
    for method in _methods_not_called(code):
        says = say("named-not-called", method=code.text_of(method))
        yield code.hit(method, says, Fix(say("call"), (code.edits.append(method, "()"),)))


def _methods_not_called(code: Code) -> Iterator[ast.Attribute]:
    """`optimizer.step` as a statement, and `loss.item` where a value is wanted."""
    for name, kinds in ACTS.items():
        for attribute in code.tree.attributes_by_name.get(name, ()):
            alone = isinstance(code.tree.parent[attribute], ast.Expr)
            if alone and code.types.kind_of(attribute.value) in kinds:
                yield attribute
    for name in READS:
        for attribute in code.tree.attributes_by_name.get(name, ()):
            if _wants_value(code, attribute) and code.types.kind_of(attribute.value) is Kind.TENSOR:
                yield attribute


def _wants_value(code: Code, attribute: ast.Attribute) -> bool:
    """Whether a function makes no sense where an attribute is read."""
    match code.tree.parent[attribute]:
        case ast.BinOp() | ast.AugAssign() | ast.FormattedValue():
            return True
        case ast.Call(func=ast.Attribute(attr="append"), args=[given]):
            return given is attribute
        case ast.Call(func=function, args=given) if attribute in given:
            return code.names.resolve(function) in TAKES_VALUES
    return False
