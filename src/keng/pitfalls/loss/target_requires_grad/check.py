"""Source code: a target requires a gradient."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.pitfalls.loss._shared import OF_SCORES, is_label, output_for_batch
from keng.rules import finds
from keng.source import Code

ONE_SIDED = [
    *OF_SCORES,
    *("torch.nn.BCELoss", "torch.nn.functional.binary_cross_entropy"),
    *("torch.nn.KLDivLoss", "torch.nn.functional.kl_div"),
]


@finds
def labels_first(code: Code) -> Hits:
    for call, output, model in _losses_turned_round(code):
        names = {"output": code.text_of(output), "model": code.text_of(model)}
        yield code.hit(call, say("label-comes-first", **names))


def _losses_turned_round(code: Code) -> Iterator[tuple[ast.Call, ast.expr, ast.expr]]:
    """Losses whose first argument is a label of a batch and whose second the output of a model for it:
    the call, that output and the model."""
    for call in code.graph.loss_calls(*ONE_SIDED):
        first, second = (
            code.calls.argument(call, "input", 0),
            code.calls.argument(call, "target", 1),
        )
        if first is None or second is None or not is_label(code, first):
            continue
        model = output_for_batch(code, second)
        if model is not None:
            yield call, second, model
