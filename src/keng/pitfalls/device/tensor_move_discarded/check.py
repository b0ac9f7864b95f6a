"""Source code: the moved tensor is thrown away."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits, say
from keng.pitfalls.device._shared import read_again
from keng.rules import finds
from keng.source import Code, Kind

MOVES = {"to", "cuda", "cpu"}


@finds(fixes=True, mentions=MOVES)
def result_of_a_move_dropped(code: Code) -> Hits:
    for call, receiver, method in code.calls.discarded_method_calls():
        if method not in MOVES or not isinstance(
            receiver, (ast.Name, ast.Attribute, ast.Subscript)
        ):
            continue
        known = code.types.kind_of(receiver) is Kind.TENSOR or _is_fed_to_model(code, receiver)
        if not known or code.modes.in_try_or_raises(call) or _is_there(code, receiver, method):
            continue
        name = code.text_of(receiver)
        fix = None
        if read_again(code, receiver):
            fix = Fix(say("assign-result", name=name), (code.edits.insert(call, f"{name} = "),))
        yield code.hit(call, say("move-discarded", name=name), fix=fix)


def _is_there(code: Code, receiver: ast.expr, method: str) -> bool:
    """Whether a tensor was made on the device that it is moved to."""
    made = code.flow.assigned_value(receiver)
    device = code.calls.argument(made, "device") if isinstance(made, ast.Call) else None
    return method == "cuda" and code.flow.text_constant(device).startswith("cuda")


def _is_fed_to_model(code: Code, node: ast.expr) -> bool:
    """Whether a name is what a loop goes through, and one of the loop's models is called with it."""
    found = code.flow.reaching_definitions(node) if isinstance(node, ast.Name) else []
    loops = [code.around(b.node, ast.For) for b in found if b.how == "for"]
    if not isinstance(node, ast.Name) or len(found) != 1 or not loops or loops[0] is None:
        return False
    return any(
        any(isinstance(a, ast.Name) and a.id == node.id for a in call.args)
        and code.types.kind_of(call.func) is Kind.MODULE
        for call in code.below(loops[0], ast.Call)
    )
