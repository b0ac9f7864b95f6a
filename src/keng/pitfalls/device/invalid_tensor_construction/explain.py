"""Error messages: a tensor is made with a dtype, data or a size of another form."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

NAMED = re.compile(r"(?:float|int|uint|bfloat|complex)\d+|bool|half|double|long")


@explains("no-dtype")
def no_dtype(failure: Failure) -> Hits:
    came = failure.groups["came"]
    known = {"str": say("text-for-dtype"), "type": say("type-for-dtype")}
    yield failure.hit(known.get(came) or say("no-dtype", came=came))


@explains("no-type")
def no_type(failure: Failure) -> Hits:
    came = failure.groups["came"]
    dtype = f"torch.{came}" if NAMED.fullmatch(came) else "torch.float32"
    yield failure.hit(say("no-tensor-type", came=came, dtype=dtype))


@explains("arguments-of-another-form")
def arguments_of_another_form(failure: Failure) -> Hits:
    function = failure.groups["function"]
    if f"torch.{function}(" not in (failure.line or failure.surrounding):
        return
    if function == "tensor":
        yield failure.hit(say("data-in-one-argument"))
    else:
        yield failure.hit(say("sizes-not-integers", function=function))
