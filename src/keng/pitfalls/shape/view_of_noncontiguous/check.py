"""Source code: a tensor is viewed in an order that its memory does not have."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def viewed_across_its_memory(code: Code) -> Hits:
    for call in code.views_that_fail():
        fix = Fix("Let `reshape` copy", (code.rename_attribute(call.func, "reshape"),))
        yield code.hit(call, "the memory does not lie in this order: reshape copies it", fix=fix)
