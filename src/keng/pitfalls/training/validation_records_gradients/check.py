"""Source code: validation records a graph that nobody will use."""

from __future__ import annotations

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code, Grad
from keng.source.tree import LOOPS


@finds(fixes=True)
def graph_built_for_nothing(code: Code) -> Hits:
    for seen in code.evaluation.evaluations:
        if seen.grad is not Grad.ON or not (seen.mode == "eval" or seen.named):
            continue
        no_grad = code.edits.qualified_name("torch.no_grad", seen.loop.node)
        edits = code.edits.wrap(seen.loop.node, f"with {no_grad}():") or ()
        fix = Fix(say("evaluate-without-recording-gradients"), edits) if no_grad else None
        name = code.text_of(seen.model)
        yield code.hit(seen.forward, say("records-graph-no-backward", name=name), fix=fix)


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
