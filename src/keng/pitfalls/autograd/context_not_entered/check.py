"""Source code: a context manager is called as a statement, and nothing happens."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from keng.model import Fix, Hits, say
from keng.pitfalls.autograd.context_not_entered._shared import CONTEXTS
from keng.rules import finds
from keng.source import Code


@finds(mentions=CONTEXTS)
def thrown_away(code: Code) -> Hits:
    for call in _calls_as_statements(code, CONTEXTS):
        if not code.modes.in_try_or_raises(call):
            says = say("not-entered-does-nothing", call=code.text_of(call))
            yield code.hit(call, says)


@finds(fixes=True)
def class_entered(code: Code) -> Hits:
    for block in code.of(ast.With):
        for context in [item.context_expr for item in block.items]:
            if code.names.resolve(context) in CONTEXTS and not code.modes.in_try_or_raises(context):
                fix = Fix(say("add-parentheses"), (code.edits.append(context, "()"),), "safe")
                yield code.hit(
                    context, say("class-is-entered", context=code.text_of(context)), fix=fix
                )


def _calls_as_statements(code: Code, names: Collection[str]) -> Iterator[ast.Call]:
    """Calls of one of these dotted names, as the file writes them, that stand as statements."""
    lasts = {name.rpartition(".")[2] for name in names}
    for call in (call for last in lasts for call in code.calls.calls_named(last)):
        alone = isinstance(code.tree.parent[call], ast.Expr)
        if (
            alone
            and (code.edits.dotted_as_written(call.func) or code.names.resolve(call.func)) in names
        ):
            yield call
