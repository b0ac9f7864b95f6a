"""Error messages: a target requires a gradient."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

OUTPUTS = re.compile(r"(?:\w+\.)*(?:y_?hat|y_?pred\w{0,5}|(?:out|pred|logit|score|recon)\w{0,12})")
FIRST = "the model's output comes first, loss(output, target)"


@explains("graph-of-the-target")
def graph_of_the_target(failure: Failure) -> Hits:
    what = failure.groups.get("what") or "target"
    name = failure.loss_argument_name(1, "") if what == "target" else f"`{what}`"
    yield failure.hit(_learnt_through(name, "the target"))


def _learnt_through(name: str, otherwise: str) -> str:
    """What to do with a target that requires a gradient: the second one, by its name, if it has any."""
    says = f"{name or otherwise} requires a gradient, and the loss has none for it"
    if OUTPUTS.fullmatch(name.strip("`")):
        return f"{says}: {FIRST}; or detach() it"
    return f"{says}: detach() it" if name else f"{says}: detach() it, or {FIRST}"
