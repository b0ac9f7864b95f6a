"""Error messages: the three batch numbers of DeepSpeed contradict each other."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("product-differs")
def product_differs(failure: Failure) -> Hits:
    whole, micro, steps, world = (
        failure.groups[key] for key in ("whole", "micro", "steps", "world")
    )
    given = {"whole": whole, "micro": micro, "steps": steps, "world": world}
    alone = say("product-differs-in-one-process", **given)
    yield failure.hit(alone if world == "1" else say("product-differs", **given))


@explains("other-than-the-trainers")
def other_than_the_trainers(failure: Failure) -> Hits:
    yield failure.hit(say("file-and-trainer-differ"))
