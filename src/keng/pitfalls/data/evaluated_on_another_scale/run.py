"""A running program: a model is evaluated on images of another scale than it is trained on."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import InputScales

TIMES = 12
"""Images may have 16 grey levels only."""


NEAR_ONE = (0.2, 5)
"""The largest absolute value of images that are divided by 255, or normalized."""


@watches("input.scales")
def divided_in_one_of_two(seen: InputScales) -> Hits:
    small, large = sorted((seen.trained, seen.evaluated))
    if NEAR_ONE[0] < small < NEAR_ONE[1] and large > TIMES * small:
        says = f"`{seen.module}` is trained on images up to {seen.trained:.3g}"
        yield seen.hit(f"{says}, and evaluated on such up to {seen.evaluated:.3g}")
