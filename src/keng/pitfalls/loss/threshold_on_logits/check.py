"""Source code: logits are compared with 0.5."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Fix, Hits, say
from keng.pitfalls.loss._shared import unconverted
from keng.rules import finds
from keng.source import Code, Definition, Kind
from keng.source.names import Binding

TAKING_LOGITS = (
    "torch.nn.BCEWithLogitsLoss",
    "torch.nn.functional.binary_cross_entropy_with_logits",
)
ORDERED = (ast.Gt, ast.GtE, ast.Lt, ast.LtE)
Model = Definition | ast.Call
"""The class of a model, or the call that made it of layers."""


@finds(fixes=True)
def compared_with_a_half(code: Code) -> Hits:
    for compared, half in _halves_of_logits(code):
        text = code.text_of(compared.left)
        says = say("logits-probability-there-compare", scores=text)
        yield code.hit(compared, says, Fix(say("compare"), (code.edits.replace(half, "0"),)))


def _halves_of_logits(code: Code) -> Iterator[tuple[ast.Compare, ast.Constant]]:
    """Comparisons with 0.5 of what a model gives that is trained on logits: where, and the number."""
    losses = code.graph.loss_calls(*TAKING_LOGITS)
    given = [each for call in losses if (each := code.calls.argument(call, "input", 0)) is not None]
    trained = {model for each in given if (model := _model_giving(code, each)) is not None}
    for compared in code.of(ast.Compare) if trained else ():
        half, ordered = compared.comparators[0], isinstance(compared.ops[0], ORDERED)
        if not isinstance(half, ast.Constant) or half.value != 0.5 or not ordered:
            continue
        if len(compared.ops) == 1 and _model_giving(code, compared.left) in trained:
            yield compared, half


def _model_giving(code: Code, node: ast.expr, depth: int = 6) -> Model | None:
    """The one model that a value is the output of as it came, views and devices apart, where nothing in
    it speaks of a sigmoid."""
    node = unconverted(node)
    match node:
        case ast.Name() if depth:
            found = code.flow.reaching_definitions(node)
            models = {_model_behind(code, binding, depth - 1) for binding in found}
            return models.pop() if len(models) == 1 else None
        case ast.Subscript(value=inner):
            return _model_giving(code, inner, depth)
        case ast.Call() if code.types.kind_of(node.func) is Kind.MODULE:
            made = code.types.value_of(node.func)
            kept = made.definition or (made.call if made.call in code.tree.parent else None)
            text = ""
            if isinstance(kept, Definition):
                text = kept.tree.text_of(kept.node)
            elif kept is not None:
                text = code.text_of(kept)
            return kept if "igmoid" not in text else None
    return None


def _model_behind(code: Code, binding: Binding, depth: int) -> Model | None:
    if binding.how == "assign" and binding.value is not None and not binding.path:
        return _model_giving(code, binding.value, depth)
    given = code.types.argument_values(binding.node)
    models = {
        _model_giving(code.at(tree), each, depth) if each is not None else None
        for tree, each in given
    }
    return models.pop() if len(models) == 1 else None
