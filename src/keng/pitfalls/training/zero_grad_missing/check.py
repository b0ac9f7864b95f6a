"""Source code: gradients are never cleared between the steps."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Act, Code


@finds
def never_cleared(code: Code) -> Hits:
    for loop in code.training_loops:
        if loop.has(Act.ZERO_GRAD) or loop.has(Act.OPAQUE):
            continue
        if code.cleared_around(loop) or code.optimizer_is_new(loop) or code.cleared_by_callbacks:
            continue
        backward = loop.all(Act.BACKWARD)[0]
        if backward.dotted != "torch.distributed.autograd.backward":
            yield backward.code.hit(
                backward.call, "adds to gradients that no `zero_grad()` ever clears"
            )
    for call in code.manual_steps_uncleared():
        yield code.hit(call, "adds to gradients that no `zero_grad()` ever clears")


@finds
def moved_by_hand(code: Code) -> Hits:
    for call, tensor in code.moved_by_hand_uncleared():
        says = f"adds to the gradient that `{tensor}` is moved along, and nothing clears it"
        yield code.hit(call, says)


@finds
def one_of_two_cleared(code: Code) -> Hits:
    for call, name, other in code.optimizers_not_cleared():
        says = f"`{name}` steps on gradients that nothing clears; only those of `{other}` are"
        yield code.hit(call, says)
