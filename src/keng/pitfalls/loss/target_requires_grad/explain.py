"""Error messages: a target requires a gradient."""

from __future__ import annotations

from keng.explain.advice.losses import learnt_through
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("graph-of-the-target")
def graph_of_the_target(failure: Failure) -> Hits:
    what = failure.groups.get("what") or "target"
    name = failure.lost_as(1, "") if what == "target" else f"`{what}`"
    yield failure.hit(learnt_through(name, "the target"))
