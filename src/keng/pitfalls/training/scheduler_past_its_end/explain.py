"""Error messages: a scheduler takes more steps than it was made for."""

from __future__ import annotations

import ast

from keng.explain.failure import Failure
from keng.model import Fix, Hits, say
from keng.rules import explains
from keng.source import Code


@explains("too-many-steps")
def too_many_steps(failure: Failure) -> Hits:
    made, step = failure.groups["made"], failure.groups["n"]
    yield failure.hit(
        say("scheduler-was-made-steps", made=made, step=step),
        failure.ask_line(_for_all_rounds),
    )


def _for_all_rounds(code: Code, line: int) -> Fix | None:
    """A fix for a OneCycleLR that is stepped for each batch of each epoch, and is made for one of the
    two only."""
    steps = [c for c in code.calls.method_calls("step") if c.lineno == line]
    made = code.types.value_of(code.tree.receiver(steps[0])).call if len(steps) == 1 else None
    total = (
        code.calls.argument(made, "total_steps", 2)
        if made is not None and made in code.tree.parent
        else None
    )
    loops = sorted(code.tree.on_line(line, ast.For), key=lambda loop: loop.lineno)
    if total is None or made is None or len(loops) != 2:
        return None
    epochs, batches = (_counted(code, loop.iter) for loop in loops)
    if code.tree.enclosing_function(made) is not code.tree.enclosing_function(loops[0]):
        return None
    both = {f"len({batches})": f" * {epochs}", epochs: f" * len({batches})"}
    more = both.get(code.text_of(total), "") if epochs and batches else ""
    return Fix(say("make-all-steps"), (code.edits.append(total, more),), "shown") if more else None


def _counted(code: Code, given: ast.expr) -> str:
    """What a loop counts to, or goes through, as text: `range(n)`, `enumerate(loader)`."""
    match given:
        case ast.Call(func=ast.Name(id="range" | "enumerate"), args=[one], keywords=[]):
            given = one
    whole = isinstance(given, (ast.Name, ast.Attribute, ast.Constant))
    return code.text_of(given) if whole else ""
