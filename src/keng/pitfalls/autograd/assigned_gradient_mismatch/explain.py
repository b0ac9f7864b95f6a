"""Error messages: a gradient is assigned that does not fit its tensor."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("does-not-fit")
def does_not_fit(failure: Failure) -> Hits:
    came, there = failure.groups["came"], failure.groups["there"]
    if "[" in came:
        yield failure.hit(say("sizes-differ", came=came, there=there))
    elif "device type" in failure.message:
        yield failure.hit(say("devices-differ", came=came, there=there))
    else:
        yield failure.hit(say("dtypes-differ", came=came, there=there))


@explains("another")
def another(failure: Failure) -> Hits:
    match failure.groups["what"]:
        case "size":
            yield failure.hit(say("other-size"))
        case "device":
            yield failure.hit(say("other-device"))
        case _:
            yield failure.hit(say("other-dtype"))
