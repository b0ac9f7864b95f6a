"""Source code: a loss whose targets are 1 and -1 gets targets of 0 and 1."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code

TARGETS = {
    "MarginRankingLoss": 2,
    "CosineEmbeddingLoss": 2,
    "HingeEmbeddingLoss": 1,
    "SoftMarginLoss": 1,
}
"""Losses with targets of 1 and -1 -> the position of these (torch 2.13)."""
FUNCTIONS = {
    "torch.nn.functional.margin_ranking_loss": 2,
    "torch.nn.functional.cosine_embedding_loss": 2,
    "torch.nn.functional.hinge_embedding_loss": 1,
    "torch.nn.functional.soft_margin_loss": 1,
}
CASTS = frozenset(
    "float double half long int to type type_as view reshape squeeze unsqueeze".split()
)
ZEROS = frozenset({"torch.zeros", "torch.zeros_like"})


@finds(mentions=[*TARGETS, *FUNCTIONS])
def zero_for_minus_one(code: Code) -> Hits:
    for call, name, position in _losses(code):
        target = code.calls.argument(call, "target", position)
        if target is not None and _is_binary(code, target):
            yield code.hit(target, say("no-sign", target=code.text_of(target), loss=name))


def _losses(code: Code) -> Iterator[tuple[ast.Call, str, int]]:
    for dotted, position in FUNCTIONS.items():
        for call in code.calls.calls_to(dotted):
            yield call, dotted.rpartition(".")[2], position
    for call in code.of(ast.Call):
        if len(call.args) + len(call.keywords) not in (2, 3):
            continue
        home, _, name = code.types.value_of(call.func).dotted.rpartition(".")
        if home == "torch.nn" and name in TARGETS:
            yield call, name, TARGETS[name]


def _is_binary(code: Code, node: ast.expr, depth: int = 6) -> bool:
    """Whether a tensor holds nothing but 0 and 1, and 0 perhaps: a comparison, zeros."""
    match node:
        case ast.Name() if depth:
            value = code.flow.assigned_value(node)
            return value is not None and _is_binary(code, value, depth - 1)
        case ast.Compare(ops=[op]):
            return not isinstance(op, (ast.In, ast.NotIn, ast.Is, ast.IsNot))
        case ast.Call(func=ast.Attribute(attr="eq" | "ne", value=_), args=[_]):
            return True
        case ast.Call(func=ast.Attribute(attr=name, value=inner)) if name in CASTS:
            return _is_binary(code, inner, depth - 1) if depth else False
        case ast.Call(func=function):
            return code.names.resolve(function) in ZEROS
    return False
