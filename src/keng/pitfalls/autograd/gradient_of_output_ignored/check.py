"""Source code: the backward of a custom function never reads the gradient that it is given."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def slope_alone(code: Code) -> Hits:
    for backward, gradient, returned, weighs in code.gradients_unread():
        says = f"`{backward.name}` never reads `{gradient}`: what comes after the function is forgotten"
        yield code.hit(returned, says, sure=weighs)
