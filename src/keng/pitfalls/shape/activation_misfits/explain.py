"""Error messages: an activation is made for other channels, or for a range that is none."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("slopes-of-other-channels")
def slopes_of_other_channels(failure: Failure) -> Hits:
    has, came = failure.groups["has"], failure.groups["came"]
    yield failure.hit(
        f"the PReLU has {has} slopes and gets {came} channels, the second dimension: nn.PReLU({came}), or one slope for all, nn.PReLU()"
    )


@explains("range-upside-down")
def range_upside_down(failure: Failure) -> Hits:
    least, most = failure.groups["least"], failure.groups["most"]
    yield failure.hit(
        f"a Hardtanh cuts from the smaller number to the larger one, and is to cut from {least} to {most}"
    )
