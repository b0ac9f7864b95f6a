"""Source code: raw scores pass a ReLU or a dropout before the cross-entropy."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code, Grad

CUTS = frozenset(
    [
        "torch.nn.ReLU",
        "torch.relu",
        "torch.nn.functional.relu",
        "torch.Tensor.relu",
        "torch.nn.ReLU6",
    ]
)


DROPS = frozenset(["torch.nn.Dropout", "torch.nn.functional.dropout", "torch.dropout"])


@finds
def cut_at_zero(code: Code) -> Hits:
    for call, given, name in code.scores_last_through(CUTS):
        says = f"`{code.text_of(given)}` has passed `{name}` before this loss"
        yield code.hit(call, f"{says}: scores below zero and their gradients are lost")


@finds
def dropped_at_random(code: Code) -> Hits:
    for call, given, name in code.scores_last_through(DROPS):
        if code.grad_at(call) is Grad.OFF:
            continue  # an evaluation, in which nothing is dropped
        says = f"`{code.text_of(given)}` has passed `{name}` before this loss"
        yield code.hit(call, f"{says}: scores of right classes become zero at random")
