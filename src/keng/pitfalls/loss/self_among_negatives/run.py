"""A running program: a contrastive loss sums the similarities of a sample to all, itself among them."""

from __future__ import annotations

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.traced_step import TracedStep, Value

PRODUCTS = frozenset("matmul mm".split())
TRANSPOSED = frozenset("t transpose T mT permute".split())
SCALED = frozenset("div mul exp clamp float double add".split())
"""What is done to each similarity by itself, before they are summed."""
FEWEST = 4


@watches(TracedStep)
def sum_with_itself(step: TracedStep) -> Hits:
    """Similarities of rows to the same rows, each scaled and exponentiated and then summed over a dimension, with
    nothing left out or subtracted."""
    inside = {id(value) for loss in step.losses for value in loss.behind()}
    for value in step.values if step.whole else ():
        if value.graph and id(value) in inside and _is_to_itself(value):
            total = _sum_of(value)
            if total is not None and id(total) in inside:
                yield step.hit(say("own-similarity", rows=value.shape[0]), where=total.where)
                return


def _is_to_itself(value: Value) -> bool:
    """Whether a square of similarities is a product of rows with their own transpose."""
    square = len(value.shape) == 2 and value.shape[0] == value.shape[1] >= FEWEST
    if not square or value.by not in PRODUCTS or len(value.given) != 2:
        return False
    rows, columns = value.given
    return columns.by in TRANSPOSED and bool(columns.given) and columns.given[0] is rows


def _sum_of(square: Value) -> Value | None:
    """The sum over a dimension of the exponentials of a square, if that is all that is made of it. A product of two
    squares is one with a mask."""
    rows, exponential = square.shape[0], False
    while True:
        # the diagonal may be written in place, or read to be subtracted
        if len(square.used) != 1:
            return None
        (used,) = square.used
        alone = all(each is square or each.shape in ((), (1,)) for each in used.given)
        if used.by == "sum" and exponential and used.shape in ((rows,), (rows, 1)):
            return None if any(each.by == "sub" for each in used.used) else used
        if used.by not in SCALED or used.shape != square.shape or not alone:
            return None
        exponential |= used.by == "exp"
        square = used
