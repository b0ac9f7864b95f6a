"""Source code: the moved tensor is thrown away."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code, Kind

MOVES = {"to", "cuda", "cpu"}


@finds(fixes=True)
def result_of_a_move_dropped(code: Code) -> Hits:
    for call, receiver, method in code.discarded_calls():
        if method not in MOVES or not isinstance(
            receiver, (ast.Name, ast.Attribute, ast.Subscript)
        ):
            continue
        known = code.kind_of(receiver) is Kind.TENSOR or code.is_fed_to_model(receiver)
        if not known or code.probed(call):
            continue
        name = code.text_of(receiver)
        fix = None
        if code.read_again(receiver):
            fix = Fix(f"Assign the result to `{name}`", (code.insert(call, f"{name} = "),))
        yield code.hit(call, f"`{name}` is not moved; this returns a new tensor", fix=fix)
