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
    says = f"{what} has {came} tokens, and max_length={most} counts them too"
    yield failure.hit(f"{says}: max_new_tokens=n instead")


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
    name = failure.groups["name"]
    says = "there is no token to begin with: input_ids for generate"
    yield failure.hit(f"{says}, or {name} in model.generation_config")
