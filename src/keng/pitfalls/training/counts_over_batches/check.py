"""Source code: a number of samples is divided by the number of batches."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def divided_by_batches(code: Code) -> Hits:
    for divided, name, loader in code.counts_over_batches():
        text = code.text_of(loader)
        says = f"`{name}` counts samples, and `len({text})` batches: `len({text}.dataset)`"
        assert isinstance(divided.right, ast.Call)
        fix = Fix("Divide by the samples", (code.append(divided.right.args[0], ".dataset"),))
        yield code.hit(divided, says, fix)


@finds(fixes=True)
def last_batch_taken_for_whole(code: Code) -> Hits:
    for product, loader, sure in code.counts_over_whole_batches():
        text = code.text_of(loader)
        says = (
            f"`{code.text_of(product)}` takes the last batch for a whole one: `len({text}.dataset)`"
        )
        fix = Fix("Divide by the samples", (code.replace(product, f"len({text}.dataset)"),))
        yield code.hit(product, says, fix, sure)
