"""Source code: parameters that get no gradient still move."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def zeros_left_for_frozen_parameters(code: Code) -> Hits:
    for call in code.method_calls("zero_grad"):
        flag = code.argument(call, "set_to_none", position=0)
        if not code.is_constant(flag, False) or not code.freezes_while_training(call):
            continue
        optimizer = code.receiver(call)
        if code.carries_on(optimizer):
            yield code.hit(call, "leaves zeros for frozen parameters, which then still move")
