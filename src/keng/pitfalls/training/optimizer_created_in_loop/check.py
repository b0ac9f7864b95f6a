"""Source code: a new optimizer for each batch loses its running averages."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code, Kind
from keng.source.tree import names_in


@finds
def made_for_each_batch(code: Code) -> Hits:
    for call, name in _optimizers_made_in_rounds(code):
        says = say("new-each-batch-what", name=name)
        yield code.hit(call, says)


def _optimizers_made_in_rounds(code: Code) -> Iterator[tuple[ast.Call, str]]:
    """Optimizers that keep a state, created again for each batch of a model that was there before: the call
    and the optimizer's class."""
    for loop in code.loops.training:
        if not loop.over_loader:
            continue
        bound = code.tree.bound_in(loop.node)
        calls = code.below(loop.node, ast.Call)
        if any(code.calls.attribute_name(c.func) == "load_state_dict" for c in calls):
            continue
        for call in calls:
            home, _, name = code.names.resolve(call.func).rpartition(".")
            made = home == "torch.optim" and code.types.kind_of(call) is Kind.OPTIMIZER
            if (
                not made
                or not _has_memory(code, call, name)
                or code.around(call, ast.If, ast.For, ast.While) is not loop.node
            ):
                continue
            if not bound & names_in(call):
                yield call, name


def _has_memory(code: Code, call: ast.Call, name: str) -> bool:
    if name == "LBFGS":
        return False  # one call of its step is many
    return name != "SGD" or code.calls.argument(call, "momentum", 2) is not None
