"""Error messages: binary cross-entropy gets raw outputs, or the one that wants raw outputs gets probabilities."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-probability")
def no_probability(failure: Failure) -> Hits:
    names = [f"`{operand.name}`" for operand in failure.live.operands]
    if failure.groups["which"] == "target":
        target = names[1] if len(names) == 2 else say("the-target")
        yield failure.hit(say("target-outside", target=target))
        return
    given = names[0] if names else say("the-input")
    sigmoid = "sigmoid(" in failure.line or "sigmoid(" in failure.surrounding
    raw = say("no-probability", given=given)
    yield failure.hit(say("nan-after-sigmoid", given=given) if sigmoid else raw)
