"""Error messages: manual and automatic optimization are mixed."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("asked-of-the-trainer")
def asked_of_the_trainer(failure: Failure) -> Hits:
    option = failure.groups["option"]
    if failure.groups["what"] == "accumulation":
        yield failure.hit(say("accumulation-by-trainer", option=option))
    else:
        yield failure.hit(say("clipping-by-trainer", option=option))
