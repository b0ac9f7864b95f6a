"""Error messages: a kernel has failed, and a later line is blamed."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("refused-by-the-driver")
def refused_by_the_driver(failure: Failure) -> Hits:
    what = failure.groups["what"]
    hip = re.search(r"\bHIP\b|\bhip[A-Z]|ROCm", f"{failure.message} {failure.context}")
    on_hip = say("hip-driver-call-rejected", what=what)
    yield failure.hit(on_hip if hip else say("driver-call-rejected", what=what))
