"""Error messages: a state dict, or another thing that is no model, is used as if it were one."""

from __future__ import annotations

import re

from keng.explain.advice.dicts import asked_of_a_dict
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("has-no-methods")
def has_no_methods(failure: Failure) -> Hits:
    if says := asked_of_a_dict(failure, failure.groups["name"]):
        yield failure.hit(says)


NO_MODEL = {
    "list": "a list: each of its models by itself, or nn.ModuleList",
    "tuple": "a tuple: the model is one of its parts, or there is a comma too many",
    "str": "a text: build the model that it names, or load the file",
    "function": "a function that makes a model: parentheses, as in resnet18()",
}


@explains("no-model")
def no_model(failure: Failure) -> Hits:
    kind, name = failure.groups["kind"], failure.groups["name"]
    asked = set(re.findall(rf"\b([\w.]+)\.{name}\(", failure.line or failure.around))
    if name in ("eval", "train") and not any("net" in each or "model" in each for each in asked):
        return  # other things may be asked for these
    what = f"`{asked.pop()}`" if len(asked) == 1 else "what is asked"
    yield failure.hit(f"`{name}` is a model's, and {what} is {NO_MODEL[kind]}")


@explains("is-no-function")
def is_no_function(failure: Failure) -> Hits:
    yield failure.hit(
        "what is called is a dict of weights, not a model: build the model, then model.load_state_dict(...)"
    )


@explains("is-no-tuple")
def is_no_tuple(failure: Failure) -> Hits:
    if "torch.load(" in failure.line:
        n = failure.groups["n"]
        yield failure.hit(
            f"{n} things are taken out of the file, and it holds another number, as a state dict alone does: print its type and keys"
        )
