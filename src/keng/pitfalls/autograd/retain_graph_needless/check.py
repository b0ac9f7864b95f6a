"""Source code: a graph is kept that no second backward uses."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits, say
from keng.pitfalls.autograd._shared import computed, recurrent_states
from keng.rules import finds
from keng.source import Act, Code, Kind, Loop


@finds(fixes=True)
def kept_for_nothing(code: Code) -> Hits:
    for loop in code.loops.training:
        call, keyword = _only_backward_retaining(code, loop)
        if call is None or keyword is None or _graph_from_elsewhere(code, loop):
            continue
        fix = Fix(say("let-backward-free-graph"), (code.edits.without_argument(call, keyword),))
        yield code.hit(keyword, say("no-second-backward-goes"), fix, level="hint")


def _only_backward_retaining(code: Code, loop: Loop) -> tuple[ast.Call | None, ast.keyword | None]:
    """The one backward of a loop's rounds, if it keeps its graph, and the argument that says so."""
    steps = loop.all(Act.BACKWARD)
    call = steps[0].call if len(steps) == 1 and steps[0].reached_by is steps[0].call else None
    if not isinstance(call, ast.Call) or steps[0].tree is not code.tree:
        return None, None
    if any(code.within(c, loop.node) for c in code.calls.calls_to("torch.autograd.grad")):
        return None, None
    names = {k.arg: k for k in call.keywords}
    keeps = names.get("retain_graph")
    if keeps is None or "create_graph" in names or not code.flow.is_true(keeps.value):
        return None, None
    return call, keeps


def _graph_from_elsewhere(code: Code, loop: Loop) -> bool:
    """Whether a round of a loop may continue with a graph from before the loop, or from the last round."""
    if any(True for _ in recurrent_states(code, loop)) or _keeps_on_self(code, loop):
        return True
    names = [n for n in code.below(loop.node, ast.Name) if isinstance(n.ctx, ast.Load)]
    return any(_brings_graph(code, name, loop) for name in names)


def _keeps_on_self(code: Code, loop: Loop) -> bool:
    stored = [a for a in code.below(loop.node, ast.Attribute) if isinstance(a.ctx, ast.Store)]
    return any(code.classes.self_class(attribute.value) is not None for attribute in stored)


def _brings_graph(code: Code, name: ast.Name, loop: Loop) -> bool:
    for binding in (*code.flow.reaching_definitions(name), *code.flow.carried_definitions(name)):
        inside = code.within(binding.node, loop.node)
        later = code.tree.position(binding.node) > code.tree.position(name)
        if inside and not later:
            continue
        if binding.how == "argument" and code.types.kind_of(name) is Kind.TENSOR:
            return True
        value = binding.value if binding.how in ("assign", "augment") else None
        value = code.flow.assigned_value(value) or value  # `state = out` keeps the graph of `out`
        tensor = value is not None and code.types.kind_of(value) in (Kind.TENSOR, Kind.UNKNOWN)
        if tensor and value is not None and computed(code, value):
            return True
    return False
