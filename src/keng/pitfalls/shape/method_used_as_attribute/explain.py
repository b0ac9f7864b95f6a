"""Error messages: a method is named and not called, or an attribute is called."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

OF_MODELS = r"state_dict|parameters|named_parameters|modules|children|device_count|zero_grad"


OPEN = re.compile(
    rf"(?<!\btorch)\.(?P<name>item|size|dim|numel|tolist|numpy|detach|cpu|cuda|backward|{OF_MODELS})\b(?! ?\()"
)


CALLED = re.compile(r"\.(?P<name>training|requires_grad|is_cuda|is_leaf|ndim)\(\)")


SIZED = re.compile(r"\.size\((?:-?\d|dim\b|\)(?:\[| [!=]=))")


@explains("not-called")
def not_called(failure: Failure) -> Hits:
    if failure.passed_through("torch/optim/optimizer.py"):
        return  # it is given parameters
    if found := OPEN.search(failure.line or failure.surrounding):
        name = found["name"]
        yield failure.hit(say("named-not-called-2", name=name))
    elif "does not support item" in failure.message and "torch." in failure.line:
        yield failure.hit(say("what-item-set-method"))


@explains("saved-without-parentheses")
def saved_without_parentheses(failure: Failure) -> Hits:
    if "dict-like" in failure.message or failure.passed_through("torch/nn/modules/module.py"):
        yield failure.hit(say("what-loaded-method-no"))


@explains("result-not-there")
def result_not_there(failure: Failure) -> Hits:
    if not OPEN.search(failure.line):
        yield failure.hit(say("what-taken-tensor-method"))


@explains("called")
def called(failure: Failure) -> Hits:
    text, deepest = failure.line or failure.surrounding, failure.frames[-1:]
    inside = "".join(frame.text for frame in deepest if "/torch/" in frame.posix)
    if found := CALLED.search(text):
        yield failure.hit(say("value-no-method-without", name=found["name"]))
    elif failure.groups["kind"] == "int" and ".size(" in inside:
        yield failure.hit(say("array-given-where-tensor"))
    elif failure.groups["kind"] == "int" and SIZED.search(text):
        yield failure.hit(say("array-whose-size-number"))
