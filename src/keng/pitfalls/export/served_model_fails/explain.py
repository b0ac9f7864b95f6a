"""Error messages: a server of models cannot start a model, or feeds it otherwise than it was configured."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("worker-died")
def worker_died(failure: Failure) -> Hits:
    yield failure.hit(say("handler-has-failed-worker"))


@explains("handler-not-found")
def handler_not_found(failure: Failure) -> Hits:
    names = re.findall(r"([^'.]{1,80})'>", failure.groups["has"])
    has = f"{len(names)} classes, {', '.join(names[:4])}" if names else "no class and no function"
    yield failure.hit(say("handler-s-module-defines", has=has))


@explains("answers-of-another-number")
def answers_of_another_number(failure: Failure) -> Hits:
    of = "{got} answers to {wants} requests".format(**failure.groups)
    of = of if failure.groups["got"] else "another number of answers than requests"
    yield failure.hit(say("handler-returns-one-entry", of=of))


@explains("configured-otherwise")
def configured_otherwise(failure: Failure) -> Hits:
    wants, what, has = (failure.groups[name] for name in ("wants", "what", "has"))
    says = say("config-pbtxt-names-model", has=what, wants=wants, has_2=has)
    yield failure.hit(says)


@explains("fed-otherwise")
def fed_otherwise(failure: Failure) -> Hits:
    what, name = failure.groups["what"], failure.groups["name"]
    yield failure.hit(say("has-another-than-config", what=name, what_2=what))


@explains("stub-ended")
def stub_ended(failure: Failure) -> Hits:
    yield failure.hit(say("process-python-backend-has"))


@explains("worker-silent")
def worker_silent(failure: Failure) -> Hits:
    if failure.mentions_torch:
        yield failure.hit(say("worker-was-silent-gunicorn"))
