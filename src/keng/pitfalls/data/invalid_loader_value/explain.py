"""Error messages: a loader or sampler is given a number or flag that it cannot use."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

MEANS = {
    "num_workers": say("number-of-workers"),
    "timeout": say("timeout-in-seconds"),
    "prefetch_factor": say("batches-prefetched"),
}


@explains("below-zero")
def below_zero(failure: Failure) -> Hits:
    yield failure.hit(MEANS[failure.groups["name"]])


@explains("no-whole-number")
def no_whole_number(failure: Failure) -> Hits:
    name, came = failure.groups["name"], failure.groups["came"]
    if came.isdigit() and int(came):
        yield failure.hit(say("looks-like-a-number", name=name))
    else:
        yield failure.hit(say("not-a-count", name=name, came=came))
