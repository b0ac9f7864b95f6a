"""Error messages: a model that was quantized or spread over devices as it was loaded is moved or trained as a whole."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("moved")
def moved(failure: Failure) -> Hits:
    says = say("dispatched-model-moved")
    if failure.passed_through("deepspeed/runtime/engine.py"):
        says = say("moved-by-deepspeed")
    elif failure.passed_through("accelerate/big_modeling.py"):
        says = say("moved-by-accelerate")
    yield failure.hit(says)


@explains("trained-elsewhere")
def trained_elsewhere(failure: Failure) -> Hits:
    yield failure.hit(say("load-on-own-gpu"))


@explains("packed-weights-trained")
def packed_weights_trained(failure: Failure) -> Hits:
    yield failure.hit(say("quantized-weights-trained"))


@explains("no-room")
def no_room(failure: Failure) -> Hits:
    yield failure.hit(say("offloaded-for-lack-of-memory"))


@explains("quantized-again")
def quantized_again(failure: Failure) -> Hits:
    yield failure.hit(say("quantized-twice", came=failure.groups["came"]))


@explains("cast")
def cast(failure: Failure) -> Hits:
    yield failure.hit(say("quantized-weights-cast", kind=failure.groups["kind"]))


@explains("left-out-of-the-map")
def left_out_of_the_map(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(say("device-map-incomplete", name=name))


@explains("no-such-map")
def no_such_map(failure: Failure) -> Hits:
    yield failure.hit(say("device-map-unknown"))
