"""Error messages: a state dict, or another thing that is no model, is used as if it were one."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

MODELS = re.compile(r"model|net|state|ckpt|checkpoint|weight|encoder|decoder|learn", re.IGNORECASE)
SETTINGS = re.compile(r"\b(?:cfg|config|conf|hparams|params|settings|opts?|args)\b", re.IGNORECASE)
MOVES = ("to", "cuda", "half")
"""What is asked of batches as well."""


@explains("has-no-methods")
def has_no_methods(failure: Failure) -> Hits:
    if says := _asked_of_a_dict(failure, failure.groups["name"]):
        yield failure.hit(says)


@explains("no-model")
def no_model(failure: Failure) -> Hits:
    kind, method = failure.groups["kind"], failure.groups["name"]
    asked = set(re.findall(rf"\b([\w.]+)\.{method}\(", failure.line or failure.surrounding))
    if method in ("eval", "train") and not any("net" in each or "model" in each for each in asked):
        return  # other things may be asked for these
    shown = f"`{asked.pop()}`" if len(asked) == 1 else say("the-object")
    values = {"object": shown, "method": method}
    match kind:
        case "list":
            yield failure.hit(say("model-in-list", **values))
        case "tuple":
            yield failure.hit(say("model-in-tuple", **values))
        case "str":
            yield failure.hit(say("name-of-model", **values))
        case "function":
            yield failure.hit(say("function-for-model", **values))


@explains("is-no-tuple")
def is_no_tuple(failure: Failure) -> Hits:
    if "torch.load(" in failure.line:
        n = failure.groups["n"]
        yield failure.hit(say("things-taken-out-file", n=n))


def _asked_of_a_dict(failure: Failure, method: str) -> Message | None:
    """What to do about a dict without a method; nothing where it is one of settings."""
    found = set(re.findall(rf"\b([\w.]+)\.{method}\b", failure.line or failure.surrounding))
    of = found.pop() if len(found) == 1 else ""
    if of and SETTINGS.search(of):
        return None
    if method not in MOVES or "OrderedDict" in failure.groups["kind"] or MODELS.search(of):
        return say("dict-has-no-method", method=method)
    return (
        say("named-batch", name=of, method=method) if of else say("batch-or-weights", method=method)
    )
