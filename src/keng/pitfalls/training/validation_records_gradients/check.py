"""Source code: validation records a graph that nobody will use."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code, Grad, Kind
from keng.source.evaluation import Evaluation
from keng.source.tree import LOOPS

ENDS_GRAPH = frozenset("item detach tolist numpy argmax argmin argsort long int bool size".split())
FARTHEST = 8
"""Assignments between the output of a model and what is kept of it."""


@finds(fixes=True)
def graph_built_for_nothing(code: Code) -> Hits:
    for seen in code.evaluation.evaluations:
        if seen.grad is not Grad.ON or not (seen.mode == "eval" or seen.named):
            continue
        no_grad = code.edits.qualified_name("torch.no_grad", seen.loop.node)
        edits = code.edits.wrap(seen.loop.node, f"with {no_grad}():") or ()
        fix = Fix(say("evaluate-without-recording-gradients"), edits) if no_grad else None
        name = code.text_of(seen.model)
        kept = next(_kept_with_graph(code, seen), None)
        if kept is not None:
            says = say("keeps-graph-of-every-batch", name=name, holder=code.text_of(kept))
            yield code.hit(seen.forward, says, fix=fix)
        else:  # each round frees the graph of the one before it
            says = say("records-graph-no-backward", name=name)
            yield code.hit(seen.forward, says, fix=fix, level="hint")


def _kept_with_graph(code: Code, seen: Evaluation) -> Iterator[ast.expr]:
    """What holds the outputs of all rounds of an evaluation with their graphs: `total += loss`,
    `outputs.append(out)`."""
    for node in code.below(seen.loop.node, ast.AugAssign, ast.Call):
        match node:
            case ast.AugAssign(op=ast.Add(), target=holder, value=value):
                pass
            case ast.Call(func=ast.Attribute(attr="append", value=holder), args=[value]):
                pass
            case _:
                continue
        if not _starts_in_round(code, holder, seen) and _has_graph(code, value, seen, FARTHEST):
            yield holder


def _starts_in_round(code: Code, holder: ast.expr, seen: Evaluation) -> bool:
    """Whether each round begins with another holder of that name."""
    return any(
        code.text_of(holder) in map(code.text_of, assigned.targets)
        for assigned in code.below(seen.loop.node, ast.Assign)
    )


def _has_graph(code: Code, value: ast.expr, seen: Evaluation, depth: int) -> bool:
    """Whether a value is computed from the output of the model, with nothing that ends the graph."""
    if value is seen.forward or not depth:
        return value is seen.forward
    ways: list[ast.expr | None] = []
    match value:
        case ast.Name():
            bound = [b for b in code.flow.reaching_definitions(value) if b.how == "assign"]
            ways = [b.value for b in bound if code.within(b.node, seen.loop.node)]
        case ast.Call(func=ast.Attribute(attr=method)) if method in ENDS_GRAPH:
            return False
        case ast.Call(func=function, args=given):
            is_tensor = code.types.kind_of(value) is Kind.TENSOR
            is_loss = code.types.kind_of(function) in (Kind.CRITERION, Kind.MODULE)
            owner = function.value if isinstance(function, ast.Attribute) else None
            ways = [owner, *given] if is_tensor or is_loss else []
        case ast.BinOp(left=left, right=right):
            ways = [left, right]
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            ways = [*elements]
        case ast.Attribute(value=inner, attr=attribute) if attribute not in ("data", "shape"):
            ways = [inner]
        case ast.Subscript(value=inner):
            ways = [inner]
    return any(way is not None and _has_graph(code, way, seen, depth - 1) for way in ways)


@finds(fixes=True)
def graph_of_all_test_data(code: Code) -> Hits:
    for call in code.evaluation.tested_at_once:
        if code.modes.grad_at(call) is not Grad.ON or code.tree.result_unused(call):
            continue
        no_grad, statement = code.edits.qualified_name("torch.no_grad", call), code.statement(call)
        edits = code.edits.wrap(statement, f"with {no_grad}():") or ()
        fix = Fix(say("evaluate-without-recording-gradients"), edits) if no_grad else None
        says = say("records-graph-no-backward", name=code.text_of(call.func))
        repeated = any(isinstance(above, LOOPS) for above in code.tree.ancestors(call))
        # the next round frees the graph; behind the loop it is kept as long as the output
        yield code.hit(call, says, fix=fix, level="hint" if repeated else None)
