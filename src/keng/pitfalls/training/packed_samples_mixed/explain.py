"""Error messages: several samples lie in one row, and attention does not keep them apart."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("state-carried-on")
def state_carried_on(failure: Failure) -> Hits:
    part, package = failure.groups["part"], failure.groups["package"]
    yield failure.hit(say("plain-form-would-carry", package=part, package_2=package))
