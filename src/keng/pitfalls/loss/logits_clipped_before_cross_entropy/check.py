"""Source code: raw scores pass a ReLU or a dropout before the cross-entropy."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.pitfalls.loss._shared import OF_SCORES
from keng.rules import finds
from keng.source import Code, Grad, Value

LOG_SOFTMAX = frozenset(
    ["torch.log_softmax", "torch.nn.functional.log_softmax", "torch.Tensor.log_softmax"]
)

CUTS = frozenset(
    [
        "torch.nn.ReLU",
        "torch.relu",
        "torch.nn.functional.relu",
        "torch.Tensor.relu",
        "torch.nn.ReLU6",
    ]
)


DROPS = frozenset(["torch.nn.Dropout", "torch.nn.functional.dropout", "torch.dropout"])


@finds
def cut_at_zero(code: Code) -> Hits:
    for call, given, name in _scores_last_through(code, CUTS):
        yield code.hit(call, say("cut-at-zero", given=code.text_of(given), name=name))


@finds
def dropped_at_random(code: Code) -> Hits:
    for call, given, name in _scores_last_through(code, DROPS):
        if code.modes.grad_at(call) is Grad.OFF:
            continue  # an evaluation, in which nothing is dropped
        yield code.hit(call, say("dropped", given=code.text_of(given), name=name))


def _scores_last_through(
    code: Code, names: frozenset[str]
) -> Iterator[tuple[ast.Call, ast.expr, str]]:
    """Cross-entropies of scores that on every way went through one of these last, or last before their
    log-softmax: the call, the scores, and its short name."""
    if not _says_last_of(code, names):
        return
    for call in code.graph.loss_calls(*OF_SCORES):
        given = code.calls.argument(call, "input", 0)
        ways = [
            o for origin in code.origins.origins(given) for o in _before_logarithm(code, origin)
        ]
        if given is not None and all(way.dotted in names for way in ways):
            yield call, given, ways[0].dotted.rpartition(".")[2]


def _says_last_of(code: Code, names: frozenset[str]) -> bool:
    lasts = {name.rpartition(".")[2].encode() for name in names}
    return any(code.trees.files.contains(last, code.path) for last in lasts)


def _before_logarithm(code: Code, origin: Value) -> list[Value]:
    call = origin.call
    if origin.dotted not in LOG_SOFTMAX or call not in code.tree.parent:
        return [origin]
    method = origin.dotted.startswith("torch.Tensor.")
    return code.origins.origins(
        code.tree.receiver(call) if method else code.calls.argument(call, "input", 0)
    )
