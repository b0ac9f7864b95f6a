"""Source code: images are changed at random where a model is evaluated."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def changed_at_random(code: Code) -> Hits:
    for place, name in code.augmented_evaluations():
        says = f"images to evaluate on are changed at random by `{name}`"
        yield code.hit(place, says)
