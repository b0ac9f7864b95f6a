"""Source code: a graph is gone back through a second time."""

from __future__ import annotations

import ast

from keng.model import Hits
from keng.rules import finds
from keng.source import Act, Code, Grad


@finds
def state_carried_with_its_graph(code: Code) -> Hits:
    for loop in code.training_loops:
        backwards = [s.call for s in loop.all(Act.BACKWARD) if isinstance(s.call, ast.Call)]
        if any(code.retains(call) for call in backwards):
            continue
        for call, name, known in code.carried(loop):
            if code.grad_at(call) is Grad.ON:
                says = f"`{name.id}` carries the graph of the last round into this one; give `{name.id}.detach()`"
                yield code.hit(call, says, sure=known)


@finds
def same_loss_again(code: Code) -> Hits:
    for call in code.method_calls("backward"):
        before = code.backward_before(call)
        if before is None or code.probed(call):
            continue
        for loss, earlier in zip(code.lost(call), code.lost(before), strict=False):
            same = code.receiver(call) is loss and code.same_value(loss, earlier)
            if same and code.through_module(loss):
                says = f"the graph of `{loss.id}` was freed by its backward on line {before.lineno}"
                yield code.hit(call, says)


@finds
def part_of_it_again(code: Code) -> Hits:
    for call in code.method_calls("backward"):
        before = code.backward_before(call)
        part = code.part_freed(call, before) if before is not None else None
        if before is not None and part is not None and not code.probed(call):
            says = f"`{part.id}` brings its graph, which the backward on line {before.lineno} freed"
            yield code.hit(call, says)
