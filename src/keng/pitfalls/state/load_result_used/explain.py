"""Error messages: what a method returns is kept in place of the object that it changed."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

MADE = "a function that makes it returned nothing, an option left it out, or it was overwritten, as in `optimizer = optimizer.step()`"


OF_A_LOSS = "`loss = loss.backward()` keeps what backward returns; and models of Transformers give a loss only where labels are among their inputs"


@explains("names-for-the-model")
def names_for_the_model(failure: Failure) -> Hits:
    yield failure.hit(say("what-load-state-dict"))


@explains("nothing-for-the-object")
def nothing_for_the_object(failure: Failure) -> Hits:
    name, why = failure.groups["name"], MADE
    if name == "item":
        if "loss" not in failure.line:
            return
        why = OF_A_LOSS
    yield failure.hit(say("what-asked-none", why=name, why_2=why))
