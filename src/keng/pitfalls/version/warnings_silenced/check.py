"""Source code: all warnings of a program are silenced."""

from __future__ import annotations

import ast

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code


@finds(mentions=["warnings.filterwarnings", "warnings.simplefilter"])
def every_warning_dropped(code: Code) -> Hits:
    for call in code.calls.calls_to("warnings.filterwarnings", "warnings.simplefilter"):
        action = code.calls.argument(call, "action", position=0)
        if code.flow.text_constant(action) != "ignore" or len(call.args) + len(call.keywords) != 1:
            continue
        if _under_with(code, call, "warnings.catch_warnings"):
            continue
        yield code.hit(call, say("drops-every-warning-from"))


def _under_with(code: Code, node: ast.AST, dotted: str) -> bool:
    """Whether a node is in a `with` of this call."""
    for above in code.tree.ancestors(node):
        if isinstance(above, ast.With):
            calls = [i.context_expr for i in above.items if isinstance(i.context_expr, ast.Call)]
            if any(code.names.resolve(call.func) == dotted for call in calls):
                return True
    return False
