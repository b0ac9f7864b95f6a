"""Source code: gradients are switched off for the whole program."""

from __future__ import annotations

import ast

from keng.model import Hits
from keng.rules import finds
from keng.source import Code, Grad


@finds
def switched_off_before_backward(code: Code) -> Hits:
    for call in code.calls_to("torch.set_grad_enabled"):
        alone = isinstance(code.parent[call], ast.Expr)
        if not alone or not call.args or not code.is_constant(call.args[0], False):
            continue
        later = [
            c
            for c in code.method_calls("backward")
            if code.position(c) > code.position(call)
            and code.function_around(c) is code.function_around(call)
            and code.grad_at(c) is Grad.OFF
        ]
        if later and not code.probed(later[0]):
            line = later[0].lineno
            yield code.hit(
                call, f"gradients stay off for the training too, which goes back on line {line}"
            )
    for call, back in code.left_off_in_loops():
        line = code.position(back)[0]
        says = f"gradients stay off for the next round too, which goes back on line {line}"
        yield code.hit(call, says)
    for statement, file, line in code.imports_switching_off():
        says = f"this import switches gradients off for the whole program, on line {line} of {file}"
        yield code.hit(statement, says)
