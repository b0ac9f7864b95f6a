"""Source code: a context manager is called as a statement, and nothing happens."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits
from keng.pitfalls.autograd.context_not_entered._shared import CONTEXTS, _refused
from keng.rules import finds
from keng.source import Code


@finds
def thrown_away(code: Code) -> Hits:
    for call in code.calls_as_statements(CONTEXTS):
        if not code.probed(call):
            says = f"`{code.text_of(call)}` is not entered: it does nothing without `with`"
            yield code.hit(call, says)


@finds(fixes=True)
def class_entered(code: Code) -> Hits:
    for block in code.of(ast.With):
        for context in [item.context_expr for item in block.items]:
            if code.resolve(context) in CONTEXTS and not code.probed(context):
                fix = Fix("Add the parentheses", (code.append(context, "()"),), "safe")
                yield code.hit(context, _refused(code.text_of(context)), fix=fix)
