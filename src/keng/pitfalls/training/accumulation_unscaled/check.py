"""Source code: gradients of several batches are added up, and not divided."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Act, Code


@finds(fixes=True)
def added_and_not_divided(code: Code) -> Hits:
    by_itself = not code.uses_framework() and not code.imports("accelerate.")
    for loop in code.training_loops if by_itself else ():
        rounds = code.accumulates(loop)
        for backward in loop.all(Act.BACKWARD) if rounds is not None else ():
            loss = code.undivided(backward)
            if rounds is None or loss is None:
                continue
            times = code.text_of(rounds)
            text = f"{loss.id} / {code.operand(rounds)}"
            edit = code.replace(loss, text if code.is_taken_whole(loss) else f"({text})")
            fix = Fix("Divide the loss", (edit,))
            says = f"the gradients of {times} batches are added up, and `{loss.id}` is not divided"
            yield code.hit(backward.call, says, fix=fix)
