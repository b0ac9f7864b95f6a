"""Source code: a mask comes after the softmax, with a number that is meant for scores."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.pitfalls.loss._shared import hugely_negative
from keng.rules import finds
from keng.source import Code

CHOOSES = frozenset(["argmax", "topk", "max", "sort", "argsort", "multinomial", "Categorical"])


@finds(mentions=["masked_fill", "masked_fill_"])
def weights_hidden_as_scores(code: Code) -> Hits:
    for call, given in _masked_weights(code):
        says = say("weights-not-scores-mask", weights=code.text_of(given))
        yield code.hit(call, says)


def _masked_weights(code: Code) -> Iterator[tuple[ast.Call, ast.expr]]:
    """Very negative numbers, put where a mask says so into what a softmax has given."""
    for call in code.calls.method_calls("masked_fill", "masked_fill_"):
        value = call.args[1] if len(call.args) == 2 else None
        if value is None or not hugely_negative(code, value):
            continue
        given, body = code.tree.receiver(call), code.tree.enclosing_body(call)
        if any(code.calls.attribute_name(c.func) in CHOOSES for c in code.below(body, ast.Call)):
            continue  # what is not to be chosen may be hidden so
        origins = code.origins.origins(given)
        if origins and all(o.dotted.rpartition(".")[2].lower() == "softmax" for o in origins):
            yield call, given
