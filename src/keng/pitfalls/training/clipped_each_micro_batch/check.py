"""Source code: gradients that Accelerate gathers over several batches are clipped after each of them."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code


@finds(fixes=True, mentions=["clip_grad_norm_", "clip_grad_value_"])
def clipped_before_all_are_there(code: Code) -> Hits:
    if b"accumulate(" not in code.tree.data:
        return
    for call in code.calls.method_calls("clip_grad_norm_", "clip_grad_value_"):
        around = code.around(call, ast.With)
        if around is None or not _accumulates(around) or "sync_gradients" in _tests(code, call):
            continue
        accelerator = _accelerator(around)
        if accelerator != ast.unparse(code.tree.receiver(call)):
            continue
        statement = code.statement(call)
        edits = code.edits.wrap(statement, f"if {accelerator}.sync_gradients:")
        fix = Fix(say("when-synced"), edits) if edits else None
        yield code.hit(call, say("each", accelerator=accelerator), fix)


def _accumulates(block: ast.With) -> bool:
    return bool(_accelerator(block))


def _accelerator(block: ast.With) -> str:
    """The accelerator of `with accelerator.accumulate(model):`."""
    for item in block.items:
        match item.context_expr:
            case ast.Call(func=ast.Attribute(value=owner, attr="accumulate")):
                return ast.unparse(owner)
    return ""


def _tests(code: Code, node: ast.AST) -> str:
    return " ".join(ast.unparse(a.test) for a in code.tree.ancestors(node) if isinstance(a, ast.If))
