"""Error messages: a timed statement names what the timer does not know."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("name-not-given")
def name_not_given(failure: Failure) -> Hits:
    name = failure.groups["name"]
    if failure.passed_through("torch/utils/benchmark/utils/timer.py"):
        yield failure.hit(say("timed-statement-knows-nothing", name=name))
