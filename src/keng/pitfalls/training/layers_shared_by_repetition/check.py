"""Source code: a list of layers is repeated, and all of them are one."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def one_in_all_places(code: Code) -> Hits:
    for product, made, number, chain, anew in code.layers_repeated():
        times, layer = code.text_of(number), code.text_of(made.func)
        says = f"one `{layer}` stands in all {times} places of `{chain}`: they share its weights"
        fix = Fix("Make a layer for each place", (code.replace(product, anew),)) if anew else None
        yield code.hit(product, says, fix)
