"""Error messages: a model is asked to generate what it cannot."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-head")
def no_head(failure: Failure) -> Hits:
    yield failure.hit(say("has-no-head-over", model=failure.groups["model"]))


@explains("prompt-fills-it")
def prompt_fills_it(failure: Failure) -> Hits:
    what, came, most = (failure.groups[key] for key in ("what", "came", "most"))
    yield failure.hit(say("prompt-fills-length", what=what, came=came, most=most))


@explains("not-taken")
def not_taken(failure: Failure) -> Hits:
    yield failure.hit(say("model-s-forward-takes", names=failure.groups["names"]))


@explains("padded-behind")
def padded_behind(failure: Failure) -> Hits:
    yield failure.hit(say("batch-padded-behind-so"))


@explains("several-of-one")
def several_of_one(failure: Failure) -> Hits:
    n = failure.groups["n"]
    yield failure.hit(say("likeliest-continuation-one-asked", n=n))


@explains("nothing-to-begin-with")
def nothing_to_begin_with(failure: Failure) -> Hits:
    yield failure.hit(say("no-first-token", name=failure.groups["name"]))
