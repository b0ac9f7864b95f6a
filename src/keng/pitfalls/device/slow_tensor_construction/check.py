"""Source code: a tensor is made number by number."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code

MAKERS = (
    "torch.tensor",
    "torch.as_tensor",
    "torch.Tensor",
    "torch.FloatTensor",
    "torch.LongTensor",
)


@finds(fixes=True)
def list_of_arrays(code: Code) -> Hits:
    for call in code.calls_to(*MAKERS):
        given = code.argument(call, "data", position=0)
        if given is None or not code.lists_arrays(given):
            continue
        stack = code.spell("numpy.stack", call)
        edits = (code.insert(given, f"{stack}("), code.append(given, ")"))
        fix = Fix("Stack the arrays first", edits) if stack else None
        yield code.hit(call, "a list of arrays is copied number by number: stack them", fix=fix)


@finds(fixes=True)
def array_as_list(code: Code) -> Hits:
    for call in code.calls_to(*MAKERS):
        match code.argument(call, "data", position=0):
            case ast.Call(func=ast.Attribute(attr="tolist", value=array), args=[]) as given:
                if code.is_array(array):
                    name = code.text_of(array)
                    fix = Fix(f"Give `{name}` itself", (code.replace(given, name),))
                    says = f"`{name}` becomes a list of Python numbers, then a tensor"
                    yield code.hit(call, says, fix=fix)
