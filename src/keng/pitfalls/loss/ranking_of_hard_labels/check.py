"""Source code: the area under a curve is computed from classes in place of scores."""

from __future__ import annotations

import ast

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.names import Binding
from keng.source.types.kinds import along_a_dimension

KEEPS_CLASSES = frozenset(
    "cpu cuda to numpy detach tolist item float int long double astype view reshape flatten squeeze data "
    "type ravel copy".split()
)
"""Methods and attributes that leave classes what they are."""
GATHERS = frozenset(
    [
        *(f"torch.{name}" for name in ("cat", "stack", "concat", "hstack", "tensor", "as_tensor")),
        *(f"numpy.{name}" for name in ("array", "asarray", "concatenate", "hstack", "stack")),
        "builtins.list",
    ]
)
WHERE = ("torch.where", "numpy.where")
CHOOSING = ("argmax", "round", "gt", "ge")
DEEPEST = 12

RANKING = [
    f"sklearn.metrics.{name}"
    for name in ("roc_auc_score", "average_precision_score", "roc_curve", "precision_recall_curve")
]


@finds(mentions=RANKING)
def classes_given(code: Code) -> Hits:
    for call in code.calls.calls_to(*RANKING):
        given = code.calls.argument(call, "y_score", 1)
        if given is not None and _holds_classes(code, given):
            name, text = code.calls.attribute_name(call.func), code.text_of(given)
            yield code.hit(call, say("holds-classes-ranks-scores", name=text, name_2=name))


def _holds_classes(code: Code, node: ast.expr, depth: int = DEEPEST) -> bool:
    """Whether a value is classes on every way, as they were chosen from scores or compared with a
    threshold, or a list to which nothing else is added."""
    if not depth:
        return False
    match node:
        case ast.Name():
            return _classes_by_name(code, node, depth)
        case ast.Compare(ops=[ast.Gt() | ast.GtE() | ast.Lt() | ast.LtE()]):
            return True
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return bool(parts) and all(_holds_classes(code, p, depth - 1) for p in parts)
        case ast.ListComp(elt=each):
            return _holds_classes(code, each, depth - 1)
        case ast.Attribute(attr="indices", value=ast.Call() as chosen):
            return _takes_largest(code, chosen)
        case ast.Subscript(value=ast.Call() as chosen, slice=ast.Constant(value=1)):
            return _takes_largest(code, chosen)
        case ast.Attribute(attr=name, value=inner):
            return name in KEEPS_CLASSES and _holds_classes(code, inner, depth - 1)
        case ast.Call():
            return _classes_by_call(code, node, depth)
    return False


def _classes_by_call(code: Code, call: ast.Call, depth: int) -> bool:
    name, dotted = code.calls.attribute_name(call.func), code.names.resolve(call.func)
    if dotted in GATHERS:
        return bool(call.args) and _holds_classes(code, call.args[0], depth - 1)
    if dotted in WHERE:
        return len(call.args) == 3 and all(isinstance(a, ast.Constant) for a in call.args[1:])
    if name in CHOOSING:
        known = dotted.startswith(("torch.", "numpy."))
        decimals = name == "round" and len(call.args) + len(call.keywords) > known
        return (known or not dotted) and not decimals
    if isinstance(call.func, ast.Attribute) and name in KEEPS_CLASSES:
        return _holds_classes(code, call.func.value, depth - 1)
    return False


def _takes_largest(code: Code, call: ast.Call) -> bool:
    """`torch.max(x, 1)` or `x.max(1)`, which give the places as well."""
    if code.names.resolve(call.func) == "torch.max":
        return code.calls.argument(call, "dim", 1) is not None
    method = isinstance(call.func, ast.Attribute) and call.func.attr == "max"
    return method and not code.names.resolve(call.func) and along_a_dimension(call)


def _classes_by_name(code: Code, name: ast.Name, depth: int) -> bool:
    found = code.flow.reaching_definitions(name)
    if not found or any(binding.how != "assign" for binding in found):
        return False
    added = code.flow.values_added(name)
    if all(_begins_empty(code, binding) for binding in found):
        return bool(added) and all(_holds_classes(code, each, depth - 1) for each in added)
    return not added and all(_bound_to_classes(code, binding, depth) for binding in found)


def _bound_to_classes(code: Code, binding: Binding, depth: int) -> bool:
    value, path = binding.value, binding.path
    if isinstance(value, ast.Tuple) and len(path) == 1:
        value, path = value.elts[path[0]], ()
    if path == (1,) and isinstance(value, ast.Call):
        return _takes_largest(code, value)
    return value is not None and not path and _holds_classes(code, value, depth - 1)


def _begins_empty(code: Code, binding: Binding) -> bool:
    value: ast.expr | None = binding.value
    for at in binding.path:
        value = value.elts[at] if isinstance(value, ast.Tuple) else None
    return isinstance(value, ast.List) and not value.elts
