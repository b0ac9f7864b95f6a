"""Error messages: `gradcheck` is given what it cannot compare."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("one-check-without-another")
def one_check_without_another(failure: Failure) -> Hits:
    check, other = failure.groups["check"], failure.groups["other"]
    yield failure.hit(say("looks-closer-at-what", other=check, other_2=other))
