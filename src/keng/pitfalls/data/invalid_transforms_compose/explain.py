"""Error messages: transforms of torchvision are put together in another way than they are called."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

COMPOSE = ("torchvision/transforms/transforms.py", "torchvision/transforms/v2/_container.py")


@explains("no-list")
def no_list(failure: Failure) -> Hits:
    if not failure.frames or failure.passed_through(*COMPOSE):
        name = failure.groups["name"]
        yield failure.hit(say("compose-without-list", name=name))


@explains("several-without-a-list")
def several_without_a_list(failure: Failure) -> Hits:
    came = int(failure.groups["given"]) - 1
    yield failure.hit(say("compose-of-several", came=came))


@explains("no-function")
def no_function(failure: Failure) -> Hits:
    last = failure.frames[-1].text if failure.frames else ""
    if failure.passed_through(*COMPOSE) and "t(img)" in last:
        kind = failure.groups["kind"]
        yield failure.hit(say("entry-no-transform", kind=kind))


@explains("picture-of-other-numbers")
def picture_of_other_numbers(failure: Failure) -> Hits:
    dtype = failure.groups["dtype"]
    if "int" in dtype:
        yield failure.hit(say("pillow-needs-bytes", dtype=dtype))
    else:
        yield failure.hit(say("pillow-needs-scaled-bytes", dtype=dtype))
