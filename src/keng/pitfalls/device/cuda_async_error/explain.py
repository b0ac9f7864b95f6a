"""Error messages: a kernel has failed, and a later line is blamed."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("blamed-on-another-line")
def blamed_on_another_line(failure: Failure) -> Hits:
    yield failure.hit(say("kernel-failed-earlier", what=failure.groups["what"]))


@explains("broken-on-a-card-of-amds")
def broken_on_a_card_of_amds(failure: Failure) -> Hits:
    yield failure.hit(say("hip-kernel-failed-earlier", what=failure.groups["what"]))


@explains("stopped-by-the-system")
def stopped_by_the_system(failure: Failure) -> Hits:
    yield failure.hit(say("launch-timed-out"))


@explains("refused-by-the-driver")
def refused_by_the_driver(failure: Failure) -> Hits:
    what = failure.groups["what"]
    hip = re.search(r"\bHIP\b|\bhip[A-Z]|ROCm", f"{failure.message} {failure.context}")
    on_hip = say("hip-driver-call-rejected", what=what)
    yield failure.hit(on_hip if hip else say("driver-call-rejected", what=what))


@explains("card-of-intel-lost")
def card_of_intel_lost(failure: Failure) -> Hits:
    yield failure.hit(say("intel-card-lost", what=failure.groups["what"]))
