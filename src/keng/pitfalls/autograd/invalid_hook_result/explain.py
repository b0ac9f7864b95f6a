"""Error messages: a hook gives back something else than what it was given."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("of-another-kind")
def of_another_kind(failure: Failure) -> Hits:
    match failure.groups["what"]:
        case "size":
            yield failure.hit(say("changes-size"))
        case "type":
            yield failure.hit(say("changes-type"))
        case "device":
            yield failure.hit(say("changes-device"))
        case "layout":
            yield failure.hit(say("changes-layout"))


@explains("of-another-number")
def of_another_number(failure: Failure) -> Hits:
    got, wants, of = (failure.groups[each] for each in ("got", "wants", "of"))
    inputs = say("count-of-inputs", got=got, wants=wants)
    yield failure.hit(inputs if of == "input" else say("count-of-outputs", got=got, wants=wants))
