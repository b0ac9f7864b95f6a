"""Error messages: the profiler is asked for what it has not recorded."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("named-by-the-card")
def named_by_the_card(failure: Failure) -> Hits:
    now = failure.groups["name"].replace("cuda_", "device_")
    yield failure.hit(say("what-profile-counts-named", now=now))


@explains("read-before-it-ended")
def read_before_it_ended(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/autograd/profiler.py"):
        yield failure.hit(say("expected-profiling-results"))
