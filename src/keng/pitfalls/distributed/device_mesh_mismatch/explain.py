"""Error messages: a device mesh, or the plan that spreads a model over it, does not fit."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-such-part")
def no_such_part(failure: Failure) -> Hits:
    yield failure.hit(
        say("mesh-has-no-part", there=failure.groups["name"], there_2=failure.groups["there"])
    )


@explains("placements-for-another-mesh")
def placements_for_another_mesh(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    yield failure.hit(say("mesh-has-dimensions-placements", came=wants, came_2=came))
