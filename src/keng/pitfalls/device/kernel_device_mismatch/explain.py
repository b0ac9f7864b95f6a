"""Error messages: a kernel is started on another card than its tensors, or with a tensor of the CPU."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("pointer-out-of-reach")
def pointer_out_of_reach(failure: Failure) -> Hits:
    number = failure.groups["argument"]
    advice = say("set-current-gpu")
    says = say("triton-tensor-out-of-reach", advice=advice)
    if number:
        says = say("triton-argument-out-of-reach", number=number, advice=advice)
    yield failure.hit(says)


@explains("checked-by-an-extension")
def checked_by_an_extension(failure: Failure) -> Hits:
    name, to_the_cpu = failure.groups["what"], failure.groups.get("device") == "CPU"
    if name[0].isupper():  # a word of the message, and no name
        yield failure.hit(say("tensor-on-gpu") if to_the_cpu else say("tensor-on-cpu"))
    elif to_the_cpu:
        yield failure.hit(say("named-tensor-on-gpu", name=name))
    else:
        yield failure.hit(say("named-tensor-on-cpu", name=name))


@explains("compiled-for-cards-alone")
def compiled_for_cards_alone(failure: Failure) -> Hits:
    if name := failure.groups.get("name"):
        yield failure.hit(say("named-operator-only-for-gpu", name=name))
    elif failure.kind == "RuntimeError":  # C++ raises no other
        yield failure.hit(say("operator-only-for-gpu"))
