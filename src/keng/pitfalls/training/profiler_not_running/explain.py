"""Error messages: the profiler is asked for what it has not recorded."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

READ_EARLY = "the profile is read before it has ended: after its `with`, or in on_trace_ready"


@explains("stopped-unstarted")
def stopped_unstarted(failure: Failure) -> Hits:
    yield failure.hit(
        "the profiler is stopped and was not started here: `with torch.profiler.profile() as prof:`, in one thread"
    )


@explains("nothing-recorded")
def nothing_recorded(failure: Failure) -> Hits:
    yield failure.hit(
        "the profiler has recorded no step yet: call `prof.step()` often enough for its schedule, or leave the schedule out"
    )


@explains("named-by-the-card")
def named_by_the_card(failure: Failure) -> Hits:
    now = failure.groups["name"].replace("cuda_", "device_")
    yield failure.hit(f"what a profile counts is named for any device in newer versions: `{now}`")


@explains("read-before-it-ended")
def read_before_it_ended(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/autograd/profiler.py"):
        yield failure.hit(READ_EARLY)
