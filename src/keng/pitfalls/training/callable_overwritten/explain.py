"""Error messages: what was a function, a layer or a method is overwritten by a value."""

from __future__ import annotations

import re
from functools import reduce

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

METHODS = (
    "train|eval|cuda|cpu|parameters|named_parameters|modules|children|zero_grad|state_dict|forward"
)


METHOD = re.compile(
    rf"\b\w*(?:model|module|net)\w*\.(?P<name>{METHODS})\(|"
    r"\.(?P<own>eval|cuda|parameters|named_parameters|zero_grad|state_dict)\("
)


SET = re.compile(rf"\bself\.(?P<name>{METHODS}) = (?!lambda)")


LAYER = re.compile(r"\bself\.\w+(?=\()")


FUNCTION = re.compile(
    r"\b(?P<name>(?:self\.)?\w{0,20}(?:[Ll]oss(?:_fn|_func)?|criterion|optimizer|scheduler))\("
)


@explains("a-value-is-called")
def a_value_is_called(failure: Failure) -> Hits:
    kind, last = failure.groups["kind"], failure.frames[-1] if failure.frames else None
    text = last.text if last is not None else failure.surrounding
    inside = failure.passed_through("torch/nn/modules/module.py")
    method = (METHOD if last is not None else SET).search(text)
    functions = {found["name"] for found in FUNCTION.finditer(text)}
    if inside and "train(" in text:
        yield failure.hit(say("method-overwritten", name="train", kind=kind))
    elif method and (last is not None or "Module)" in text):
        name = next(filter(None, method.groups()))
        yield failure.hit(say("method-overwritten", name=name, kind=kind))
    elif kind in ("list", "tuple"):
        return  # forward-not-defined tells of layers in a list
    elif failure.in_forward and (layers := dict.fromkeys(LAYER.findall(text))):
        quoted = [f"`{name}`" for name in layers]
        names = reduce(lambda first, second: say("either", first=first, second=second), quoted)
        yield failure.hit(say("no-layer-what-was", names=names, kind=kind))
    elif len(functions) == 1:
        yield failure.hit(say("function-overwritten", name=functions.pop(), kind=kind))
