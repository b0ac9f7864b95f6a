"""Error messages: the Hub is not reached, and the files are not in the cache."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-answered")
def not_answered(failure: Failure) -> Hits:
    host = failure.groups["host"]
    if "CERTIFICATE_VERIFY_FAILED" in failure.message:
        yield failure.hit(say("proxy-certificate", host=host))
    elif failure.groups["slow"]:
        yield failure.hit(say("answers-slowly", host=host))
    else:
        yield failure.hit(say("does-not-answer-here", host=host))
