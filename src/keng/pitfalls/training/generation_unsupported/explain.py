"""Error messages: a model is asked to generate what it cannot."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("prompt-fills-it")
def prompt_fills_it(failure: Failure) -> Hits:
    what, came, most = (failure.groups[key] for key in ("what", "came", "most"))
    yield failure.hit(say("prompt-fills-length", what=what, came=came, most=most))
