"""Error messages: the program that `accelerate launch` has started ended with an error of its own."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("launcher-tells-only-that")
def launcher_tells_only_that(failure: Failure) -> Hits:
    if failure.raised_in.endswith("accelerate/commands/launch.py"):
        yield failure.hit(say("program-accelerate-launch-started", code=failure.groups["code"]))
