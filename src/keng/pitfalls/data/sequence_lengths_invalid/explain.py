"""Error messages: the lengths given with padded sequences do not fit them."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("of-another-kind")
def of_another_kind(failure: Failure) -> Hits:
    groups = failure.groups
    if groups["came"] != "1":
        yield failure.hit(say("lengths-not-flat"))
    elif groups["device"] != "cpu" and groups["dtype"] != "Long":
        yield failure.hit(say("lengths-moved-and-floats"))
    elif groups["device"] != "cpu":
        yield failure.hit(say("lengths-not-on-cpu"))
    else:
        yield failure.hit(say("lengths-not-integers"))


@explains("another-number-of-lengths")
def another_number_of_lengths(failure: Failure) -> Hits:
    came, batch = failure.groups["came"], failure.groups["batch"]
    replicas = failure.contains("parallel/data_parallel.py")
    if came == "1":
        one = say("one-length-in-replica", batch=batch)
        yield failure.hit(one if replicas else say("one-length", batch=batch))
    elif replicas:
        yield failure.hit(say("lengths-in-replica", came=came, batch=batch))
    else:
        yield failure.hit(say("number-of-lengths", came=came, batch=batch))
