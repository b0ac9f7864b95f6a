"""Error messages: a tensor, or its shape, is called like a function."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

ATTRIBUTE = re.compile(r"\w\.(?P<name>T|mT|H|mH|data|grad|real|imag)\(")


@explains("property-called")
def property_called(failure: Failure) -> Hits:
    what = failure.groups["what"]
    if f".{what}(" in failure.line:
        yield failure.hit(f"`.{what}` is an attribute: without parentheses")
    else:
        yield failure.hit(f"a {what} is no function: x.to(torch.float32) converts a tensor")


@explains("shape-called")
def shape_called(failure: Failure) -> Hits:
    yield failure.hit("`.shape` is an attribute: without parentheses, or .size()")


@explains("result-called")
def result_called(failure: Failure) -> Hits:
    read = ATTRIBUTE.search(failure.line)
    if read:
        yield failure.hit(f"`.{read['name']}` is an attribute: without parentheses")
        return
    yield failure.hit(
        "what is called is a tensor: a name that was a function's now holds its result, or x(i) stands for x[i]"
    )
