"""Error messages: a method is named and not called, or an attribute is called."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
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
        yield failure.hit(f"`.{name}` is named and not called: `.{name}()`")
    elif "does not support item" in failure.message and "torch." in failure.line:
        yield failure.hit(
            "what an item is set of is a method that was named and not called: parentheses, x.long()"
        )


@explains("saved-without-parentheses")
def saved_without_parentheses(failure: Failure) -> Hits:
    if "dict-like" in failure.message or failure.passed_through("torch/nn/modules/module.py"):
        yield failure.hit(
            "what is loaded is a method and no state: it was saved without parentheses, torch.save(model.state_dict(), path)"
        )


@explains("result-not-there")
def result_not_there(failure: Failure) -> Hits:
    if not OPEN.search(failure.line):
        yield failure.hit(
            "what is taken for a tensor is a method that was named and not called: parentheses, loss.mean()"
        )


@explains("called")
def called(failure: Failure) -> Hits:
    text, deepest = failure.line or failure.surrounding, failure.frames[-1:]
    inside = "".join(frame.text for frame in deepest if "/torch/" in frame.posix)
    if found := CALLED.search(text):
        yield failure.hit(f"`.{found['name']}` is a value and no method: without parentheses")
    elif failure.groups["kind"] == "int" and ".size(" in inside:
        yield failure.hit(
            "an array is given where a tensor is wanted, and its .size is a number: torch.as_tensor(x)"
        )
    elif failure.groups["kind"] == "int" and SIZED.search(text):
        yield failure.hit(
            "this is an array, whose .size is a number: x.shape[0], or torch.as_tensor(x)"
        )
