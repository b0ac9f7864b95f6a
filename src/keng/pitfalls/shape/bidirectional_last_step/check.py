"""Source code: the last step of a bidirectional layer holds a backward half that has only begun."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def half_has_read_one_step(code: Code) -> Hits:
    for taken, call in code.backward_halves_begun():
        layer, edits = code.text_of(call.func), code.ends_of_both(taken, call)
        says = f"the backward half of `{layer}` has read one step at `{code.text_of(taken)}`: it begins there"
        yield code.hit(taken, says, Fix("Take both last states", edits) if edits else None)
