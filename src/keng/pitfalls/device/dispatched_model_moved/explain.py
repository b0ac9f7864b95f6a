"""Error messages: a model that was quantized or spread over devices as it was loaded is moved or trained as a whole."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("moved")
def moved(failure: Failure) -> Hits:
    says = say("model-lies-where-was")
    if failure.passed_through("accelerate/big_modeling.py"):
        says = say("accelerate-itself-moves-packed")
    yield failure.hit(says)


@explains("trained-elsewhere")
def trained_elsewhere(failure: Failure) -> Hits:
    yield failure.hit(say("each-process-loads-model"))


@explains("packed-weights-trained")
def packed_weights_trained(failure: Failure) -> Hits:
    yield failure.hit(say("packed-weights-take-no"))


@explains("no-room")
def no_room(failure: Failure) -> Hits:
    yield failure.hit(say("there-no-room-whole"))


@explains("quantized-again")
def quantized_again(failure: Failure) -> Hits:
    yield failure.hit(say("weights-quantized-already-come", came=failure.groups["came"]))


@explains("cast")
def cast(failure: Failure) -> Hits:
    yield failure.hit(say("weights-packs-have-no", kind=failure.groups["kind"]))


@explains("left-out-of-the-map")
def left_out_of_the_map(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(say("device-map-has-no", name=name))


@explains("no-such-map")
def no_such_map(failure: Failure) -> Hits:
    yield failure.hit(say("device-map-no-word"))
