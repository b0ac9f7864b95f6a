"""Source code: a convolution has a bias that batch normalization takes away again."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code

CONVOLUTIONS = re.compile(r"torch\.nn\.Conv(?:Transpose)?[123]d")


@finds(fixes=True, mentions=["BatchNorm1d", "BatchNorm2d", "BatchNorm3d"])
def bias_without_effect(code: Code) -> Hits:
    for conv in _convolutions_before_norm(code):
        fix = code.edits.add_argument(conv, "bias=False", say("leave-bias-out"))
        yield code.hit(conv, say("batch-norm-behind-takes"), fix=fix)


def _convolutions_before_norm(code: Code) -> Iterator[ast.Call]:
    """Convolutions with a bias that a batch norm follows directly: in a Sequential, or as attributes
    that a forward calls one in the other, and the convolution nowhere else."""
    for call in code.calls.calls_to("torch.nn.Sequential"):
        for conv, norm in pairwise(code.types.layers_of(call)):
            if isinstance(conv, ast.Call) and _biased(code, conv) and _batch_norm(code, norm):
                yield conv
    for call in code.of(ast.Call):
        inner = call.args[0] if len(call.args) == 1 else None
        if not isinstance(inner, ast.Call) or not _batch_norm(code, call.func):
            continue
        made, once = code.types.value_of(inner.func).call, _called_once(code, inner.func)
        if made is not None and made in code.tree.parent and once and _biased(code, made):
            yield made


def _biased(code: Code, conv: ast.Call) -> bool:
    plain = not any(k.arg in ("bias", None) for k in conv.keywords) and len(conv.args) < 8
    return plain and CONVOLUTIONS.fullmatch(code.names.resolve(conv.func)) is not None


def _batch_norm(code: Code, norm: ast.expr) -> bool:
    return code.types.value_of(norm).dotted.startswith("torch.nn.BatchNorm")


def _called_once(code: Code, function: ast.expr) -> bool:
    if not isinstance(function, ast.Attribute):
        return False
    calls = code.calls.calls_by_name.get(function.attr, [])
    return [ast.unparse(call.func) for call in calls].count(ast.unparse(function)) == 1
