"""Error messages: a model is called with an input that its forward does not take."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

ADVICE = {
    "labels": say("labels-not-accepted"),
    "token_type_ids": say("token-types-not-returned"),
    "inputs_embeds": say("asked-by-peft"),
    "num_items_in_batch": say("passed-by-trainer"),
}


@explains("no-argument-of-that-name")
def no_argument_of_that_name(failure: Failure) -> Hits:
    model, name = failure.groups["model"], failure.groups["name"]
    advice = ADVICE.get(name, say("add-argument"))
    if model:
        yield failure.hit(say("forward-of-takes-no", model=model, name=name, advice=advice))
    else:
        yield failure.hit(say("forward-takes-no", name=name, advice=advice))


@explains("no-tensor-at-all")
def no_tensor_at_all(failure: Failure) -> Hits:
    if any("/transformers/models/" in frame.posix for frame in failure.frames):
        yield failure.hit(say("input-is-no-tensor", kind=failure.groups["kind"]))
