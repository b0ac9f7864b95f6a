"""A running program: an image of 0 to 255 is normalized as if it were of 0 to 1."""

from __future__ import annotations

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.batch_values import BatchValues


@watches(BatchValues)
def far_outside_what_is_normal(fact: BatchValues) -> Hits:
    # Of 0 to 1, normalization leaves -3 to 3; of 0 to 255 up to a thousand, and black as before.
    if fact.image and -3 < fact.lowest < 0 and 300 < fact.highest < 3000:
        lowest, highest = f"{fact.lowest:.3g}", f"{fact.highest:.4g}"
        yield fact.hit(say("normalized-bytes", lowest=lowest, highest=highest))
