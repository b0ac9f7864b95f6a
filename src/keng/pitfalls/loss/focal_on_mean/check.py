"""Source code: the focal loss weighs the mean of a batch instead of its samples."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def one_weight_for_all(code: Code) -> Hits:
    for product, name, loss in code.focal_on_means():
        edits = code.mean_at_the_end(product, name, loss)
        says = f"`{name.id}` is one number for the batch, and so is the weight: no sample counts more than another"
        yield code.hit(product, says, Fix("Take the mean at the end", edits) if edits else None)
