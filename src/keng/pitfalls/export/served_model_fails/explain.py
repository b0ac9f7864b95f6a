"""Error messages: a server of models cannot start a model, or feeds it otherwise than it was configured."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("handler-not-found")
def handler_not_found(failure: Failure) -> Hits:
    names = re.findall(r"([^'.]{1,80})'>", failure.groups["has"])
    several = say("several-classes-in-handler", count=len(names), names=", ".join(names[:4]))
    yield failure.hit(several if names else say("no-class-in-handler"))


@explains("answers-of-another-number")
def answers_of_another_number(failure: Failure) -> Hits:
    got, wants = failure.groups["got"], failure.groups["wants"]
    known = say("answers-differ", got=got, wants=wants)
    yield failure.hit(known if got else say("number-of-answers-differs"))


@explains("configured-otherwise")
def configured_otherwise(failure: Failure) -> Hits:
    wants, what, has = (failure.groups[name] for name in ("wants", "what", "has"))
    yield failure.hit(say("configured-otherwise", what=what, wants=wants, has=has))


@explains("worker-silent")
def worker_silent(failure: Failure) -> Hits:
    if failure.mentions_torch:
        yield failure.hit(say("worker-silent"))
