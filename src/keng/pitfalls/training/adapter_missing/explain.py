"""Error messages: a PEFT adapter is selected, added or merged where that is not possible."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("name-taken")
def name_taken(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(say("adapter-on-model-already", name=name))


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


@explains("none-for-a-server")
def none_for_a_server(failure: Failure) -> Hits:
    yield failure.hit(say("vllm-finds-no-adapter", path=failure.groups["path"]))


@explains("rounded-again")
def rounded_again(failure: Failure) -> Hits:
    yield failure.hit(say("sum-rounded-bits-again", bits=failure.groups["bits"]))


@explains("merged-on-top")
def merged_on_top(failure: Failure) -> Hits:
    there, after = failure.groups["there"], failure.groups["next"]
    yield failure.hit(say("weights-already-added-unmerge", after=there, after_2=after))


@explains("holds-nan")
def holds_nan(failure: Failure) -> Hits:
    yield failure.hit(say("sum-weights-holds-nan", name=failure.groups["name"]))


@explains("tied-layers-adapted")
def tied_layers_adapted(failure: Failure) -> Hits:
    names = failure.groups["names"]
    yield failure.hit(say("adapter-on-whose-weight", names=names))
