"""Source code: a part that is not being trained gets gradients all the same."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def backward_into_the_other(code: Code) -> Hits:
    for given, first, second in code.leaks_between_models():
        fix = Fix("Cut the graph", (code.append(given, ".detach()"),))
        says = f"the backward of `{second}` goes on through `{first}`, which does not step here"
        yield code.hit(given, says, fix=fix)


@finds
def backward_through_what_does_not_learn(code: Code) -> Hits:
    for call, name in code.recorded_bystanders():
        says = f"the loss goes backward through `{name}` as well, which no optimizer has"
        yield code.hit(call, f"{says}: call it under no_grad")
