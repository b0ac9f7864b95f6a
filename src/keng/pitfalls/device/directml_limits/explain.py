"""Error messages: directML cannot do what other devices can."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("refused-by-windows")
def refused_by_windows(failure: Failure) -> Hits:
    what = failure.groups.get("what")
    advice = say("run-elsewhere")
    without = say("rejected-by-windows", advice=advice)
    yield failure.hit(say("rejected-with-number", number=what, advice=advice) if what else without)
