"""Error messages: a PEFT adapter is selected, added or merged where that is not possible."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-such-name")
def no_such_name(failure: Failure) -> Hits:
    name = failure.groups["name"]
    there = failure.groups.get("there") or failure.groups.get("among")
    known = say("no-adapter-on-model", name=name, there=there)
    yield failure.hit(known if there else say("no-adapter-of-that-name", name=name))


@explains("no-rank")
def no_rank(failure: Failure) -> Hits:
    came = (failure.groups["came"] or failure.groups["last"]).strip()
    yield failure.hit(say("adapter-rank-holds-nothing", came=came))


@explains("no-peft-model")
def no_peft_model(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    if not kind.startswith("Peft"):
        yield failure.hit(say("plain-model-one-peft", kind=kind, name=name))
