"""Error messages: an activation is made for other channels, or for a range that is none."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("slopes-of-other-channels")
def slopes_of_other_channels(failure: Failure) -> Hits:
    has, came = failure.groups["has"], failure.groups["came"]
    yield failure.hit(say("prelu-has-slopes-gets", came=has, came_2=came))


@explains("range-upside-down")
def range_upside_down(failure: Failure) -> Hits:
    least, most = failure.groups["least"], failure.groups["most"]
    yield failure.hit(say("hardtanh-cuts-from-smaller", most=least, most_2=most))
