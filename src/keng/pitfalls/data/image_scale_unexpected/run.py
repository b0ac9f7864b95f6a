"""A running program: an image of 0 to 255 is normalized as if it were of 0 to 1."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import BatchValues


@watches("batch.values")
def far_outside_what_is_normal(seen: BatchValues) -> Hits:
    # Of 0 to 1, normalization leaves -3 to 3; of 0 to 255 up to a thousand, and black as before.
    if seen.image and -3 < seen.lowest < 0 and 300 < seen.highest < 3000:
        says = f"images run from {seen.lowest:.3g} to {seen.highest:.4g}"
        yield seen.hit(f"{says}: normalized with a mean for 0 to 1 while they are of 0 to 255")
