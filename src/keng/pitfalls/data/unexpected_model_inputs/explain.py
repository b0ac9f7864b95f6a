"""Error messages: a model is called with an input that its forward does not take."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

CURES = {
    "labels": "forward(..., labels=None), or a model with a head (AutoModelFor...)",
    "token_type_ids": "tokenizer(..., return_token_type_ids=False), or out of the batch",
    "inputs_embeds": "PEFT asks for it by its task_type: leave that out for a model of one's own",
    "num_items_in_batch": "the Trainer gives it since transformers 4.46: **kwargs in forward",
}


OTHERWISE = "an argument of that name, **kwargs, or out of the batch"


@explains("no-argument-of-that-name")
def no_argument_of_that_name(failure: Failure) -> Hits:
    model, name = failure.groups["model"], failure.groups["name"]
    whose = f"the forward of {model}" if model else "the model's forward"
    yield failure.hit(f"{whose} takes no `{name}`: {CURES.get(name, OTHERWISE)}")


@explains("no-tensor-at-all")
def no_tensor_at_all(failure: Failure) -> Hits:
    if any("/transformers/models/" in frame.posix for frame in failure.frames):
        yield failure.hit(say("model-takes-tensors-gets", kind=failure.groups["kind"]))
