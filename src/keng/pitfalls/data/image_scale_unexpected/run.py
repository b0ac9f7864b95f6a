"""A running program: an image of 0 to 255 is normalized as if it were of 0 to 1."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.facts.batch_values import BatchValues


@watches(BatchValues)
def far_outside_what_is_normal(fact: BatchValues) -> Hits:
    # Of 0 to 1, normalization leaves -3 to 3; of 0 to 255 up to a thousand, and black as before.
    if fact.image and -3 < fact.lowest < 0 and 300 < fact.highest < 3000:
        says = f"images run from {fact.lowest:.3g} to {fact.highest:.4g}"
        yield fact.hit(f"{says}: normalized with a mean for 0 to 1 while they are of 0 to 255")
