"""Source code: a layer is built anew in every forward pass."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def new_at_each_call(code: Code) -> Hits:
    for call, drops in code.layers_built_in_forward():
        why = "`eval()` never reaches it" if drops else "its weights are new at each call"
        yield code.hit(call, f"this layer is made in forward: {why}")
