"""Error messages: a tensor, or its shape, is called like a function."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

ATTRIBUTE = re.compile(r"\w\.(?P<name>T|mT|H|mH|data|grad|real|imag)\(")


@explains("property-called")
def property_called(failure: Failure) -> Hits:
    what = failure.groups["what"]
    if f".{what}(" in failure.line:
        yield failure.hit(say("attribute-without-parentheses", name=what))
    else:
        yield failure.hit(say("no-function-x-torch", what=what))


@explains("result-called")
def result_called(failure: Failure) -> Hits:
    read = ATTRIBUTE.search(failure.line)
    if read:
        yield failure.hit(say("attribute-without-parentheses", name=read["name"]))
        return
    yield failure.hit(say("what-called-tensor-name"))
