"""Error messages: a target requires a gradient."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

OUTPUTS = re.compile(r"(?:\w+\.)*(?:y_?hat|y_?pred\w{0,5}|(?:out|pred|logit|score|recon)\w{0,12})")


@explains("graph-of-the-target")
def graph_of_the_target(failure: Failure) -> Hits:
    what = failure.groups.get("what") or "target"
    name = failure.loss_argument_name(1, "") if what == "target" else f"`{what}`"
    yield failure.hit(_learnt_through(name))


def _learnt_through(name: str) -> Message:
    """What to do with a target that requires a gradient, by its name, if it has any."""
    if not name:
        return say("target-or-output")
    output = OUTPUTS.fullmatch(name.strip("`"))
    return say("target-is-output", target=name) if output else say("detach-target", target=name)
