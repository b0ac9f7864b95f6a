"""Error messages: an adapter is configured by options that exclude each other, or that its layers do not take."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-such-start")
def no_such_start(failure: Failure) -> Hits:
    yield failure.hit(say("no-way-begin-called", came=failure.groups["came"]))


@explains("of-no-kind")
def of_no_kind(failure: Failure) -> Hits:
    if "/peft/" in failure.raised_in or re.search("peft", failure.message, re.IGNORECASE):
        yield failure.hit(say("not-said-adapter-config"))


@explains("no-such-bias")
def no_such_bias(failure: Failure) -> Hits:
    yield failure.hit(say("bias-none-words-none", came=failure.groups["came"]))


@explains("rank-not-shared")
def rank_not_shared(failure: Failure) -> Hits:
    kind, groups, rank = (failure.groups[key] for key in ("kind", "groups", "rank"))
    yield failure.hit(say("rank-not-divided-groups", kind=rank, groups=groups, kind_2=kind))


@explains("experts-take-less")
def experts_take_less(failure: Failure) -> Hits:
    what = failure.groups["what"]
    yield failure.hit(say("parameter-adapted-experts-one", what=what))


@explains("no-such-task")
def no_such_task(failure: Failure) -> Hits:
    came, known = failure.groups["came"], failure.groups["known"]
    yield failure.hit(say("task-type-none-peft", known=came, known_2=known))


@explains("of-another-task")
def of_another_task(failure: Failure) -> Hits:
    wants, asked = failure.groups["wants"], failure.groups["asked"]
    yield failure.hit(say("adapter-was-trained-auto", asked=wants, asked_2=asked))
