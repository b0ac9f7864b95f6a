"""Source code: a model is trained past its DistributedDataParallel wrapper."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code, Grad


@finds
def called_inside(code: Code) -> Hits:
    for call in code.calls_past_wrapper():
        if code.grad_at(call) is not Grad.OFF:
            name = code.text_of(call.func)
            yield code.hit(
                call, f"`{name}` runs without its wrapper, whose hooks average gradients"
            )
