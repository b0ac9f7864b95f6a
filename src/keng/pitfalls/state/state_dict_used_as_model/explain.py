"""Error messages: a state dict, or another thing that is no model, is used as if it were one."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

MODELS = re.compile(r"model|net|state|ckpt|checkpoint|weight|encoder|decoder|learn", re.IGNORECASE)
SETTINGS = re.compile(r"\b(?:cfg|config|conf|hparams|params|settings|opts?|args)\b", re.IGNORECASE)
MOVES = ("to", "cuda", "half")
"""What is asked of batches as well."""
BATCH = "{{key: value.{name}(...) for key, value in {of}.items()}}"


@explains("has-no-methods")
def has_no_methods(failure: Failure) -> Hits:
    if says := _asked_of_a_dict(failure, failure.groups["name"]):
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
    asked = set(re.findall(rf"\b([\w.]+)\.{name}\(", failure.line or failure.surrounding))
    if name in ("eval", "train") and not any("net" in each or "model" in each for each in asked):
        return  # other things may be asked for these
    what = f"`{asked.pop()}`" if len(asked) == 1 else "what is asked"
    yield failure.hit(say("model-s", what=name, what_2=what, NO_MODEL=NO_MODEL[kind]))


@explains("is-no-function")
def is_no_function(failure: Failure) -> Hits:
    yield failure.hit(say("what-called-dict-weights"))


@explains("is-no-tuple")
def is_no_tuple(failure: Failure) -> Hits:
    if "torch.load(" in failure.line:
        n = failure.groups["n"]
        yield failure.hit(say("things-taken-out-file", n=n))


def _asked_of_a_dict(failure: Failure, name: str) -> str:
    """What to do about a dict without a method; nothing where it is one of settings."""
    found = set(re.findall(rf"\b([\w.]+)\.{name}\b", failure.line or failure.surrounding))
    of, weights = (
        found.pop() if len(found) == 1 else "",
        "build the model, then model.load_state_dict(...)",
    )
    if of and SETTINGS.search(of):
        return ""
    says = f"what was loaded is a dict of weights and has no `{name}`: {weights}"
    if name not in MOVES or "OrderedDict" in failure.groups["kind"] or MODELS.search(of):
        return says
    each = BATCH.format(name=name, of=of or "batch")
    if of:
        return f"`{of}` is a dict and has no `{name}`, which its tensors have: {each}"
    return f"a dict has no `{name}`: of a batch {each}; of loaded weights {weights}"
