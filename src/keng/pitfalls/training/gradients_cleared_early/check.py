"""Source code: gradients are cleared between the backward and the step."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def cleared_before_step(code: Code) -> Hits:
    for call, name in code.cleared_before_step():
        says = f"the gradients of `{name}` are cleared here before it steps on them"
        yield code.hit(call, f"{says}: nothing is learned")


@finds
def cleared_between_steps(code: Code) -> Hits:
    for call, name, every in code.cleared_between_steps():
        says = f"`{name}` steps in one of `{every}` rounds, and each clears what the one before"
        yield code.hit(call, f"{says} has added: only the last backward counts")
