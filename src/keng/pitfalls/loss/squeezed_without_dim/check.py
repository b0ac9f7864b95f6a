"""Source code: a prediction is squeezed of all dimensions of one before it meets its target."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def squeezed_on_one_side(code: Code) -> Hits:
    for call, given, squeeze in code.squeezed_for_a_loss():
        fix = Fix("Squeeze the last dimension only", (code.with_dim(squeeze),))
        says = f"`{code.text_of(given)}` loses its batch too where that holds one sample"
        yield code.hit(call, says, fix=fix)
