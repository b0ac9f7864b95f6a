"""Source code: a tensor is made number by number."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code, Kind

ARRAY_MAKERS = frozenset(
    f"numpy.{name}"
    for name in (
        *(
            "array",
            "asarray",
            "ascontiguousarray",
            "zeros",
            "ones",
            "full",
            "empty",
            "arange",
            "eye",
        ),
        *("linspace", "load", "loadtxt", "stack", "concatenate", "vstack", "hstack", "zeros_like"),
        *("ones_like", "transpose", "frombuffer", "fromfile", "tile", "repeat", "pad", "flip"),
    )
)

MAKERS = (
    "torch.tensor",
    "torch.as_tensor",
    "torch.Tensor",
    "torch.FloatTensor",
    "torch.LongTensor",
)


@finds(fixes=True, mentions=MAKERS)
def list_of_arrays(code: Code) -> Hits:
    for call in code.calls.calls_to(*MAKERS):
        given = code.calls.argument(call, "data", position=0)
        if given is None or not _lists_arrays(code, given):
            continue
        stack = code.edits.qualified_name("numpy.stack", call)
        edits = (code.edits.insert(given, f"{stack}("), code.edits.append(given, ")"))
        fix = Fix(say("stack-arrays-first"), edits) if stack else None
        yield code.hit(call, say("list-arrays-copied-number"), fix=fix)


@finds(fixes=True, mentions=MAKERS)
def array_as_list(code: Code) -> Hits:
    for call in code.calls.calls_to(*MAKERS):
        match code.calls.argument(call, "data", position=0):
            case ast.Call(func=ast.Attribute(attr="tolist", value=array), args=[]) as given:
                if _is_array(code, array):
                    name = code.text_of(array)
                    fix = Fix(say("give-itself", name=name), (code.edits.replace(given, name),))
                    says = say("becomes-list-python-numbers", name=name)
                    yield code.hit(call, says, fix=fix)


def _is_array(code: Code, node: ast.expr) -> bool:
    """Whether an expression is known to be a NumPy array, and no number that NumPy computed."""
    value = code.types.value_of(node)
    match node:
        case ast.Call(func=ast.Attribute(attr="astype", value=ast.Call(func=made) as inner)):
            return code.names.resolve(made).startswith("numpy.random.") or _is_array(code, inner)
    return value.kind is Kind.ARRAY and value.dotted in ARRAY_MAKERS


def _lists_arrays(code: Code, node: ast.expr) -> bool:
    """Whether an expression is a list of NumPy arrays."""
    match node:
        case ast.ListComp(elt=item):
            return _is_array(code, item)
        case ast.List(elts=[_, *_] as items):
            return all(_is_array(code, item) for item in items)
        case ast.Name():
            value = code.flow.assigned_value(node)
            return isinstance(value, (ast.ListComp, ast.List)) and _lists_arrays(code, value)
    return False
