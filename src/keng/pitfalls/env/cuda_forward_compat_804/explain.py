"""Error messages: a compatibility library is found before the library of the driver."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("compat-in-front")
def compat_in_front(failure: Failure) -> Hits:
    yield failure.hit(say("compat-in-front"))
