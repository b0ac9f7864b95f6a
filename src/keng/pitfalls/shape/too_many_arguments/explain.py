"""Error messages: a function or method of PyTorch is given more in a row than it takes."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains
from keng.tables.torch_functions import called

SIZES = frozenset({"reshape", "expand", "permute", "repeat", "tile", "view"})


JOINS = frozenset({"hstack", "vstack", "dstack", "column_stack", "cat", "stack", "concat"})


CONVERTS = frozenset(
    "half float double long int bool short byte char bfloat16 cpu contiguous clone".split()
)


UNMISTAKABLE = re.compile(r"\w\.(?:(?:un)?squeeze|permute|reshape|contiguous|masked_fill|half)\(")
"""Methods that nobody else's objects have."""


@explains("more-in-a-row")
def more_in_a_row(failure: Failure) -> Hits:
    function, failing = failure.groups["function"], failure.live.failing
    torchs = failure.groups.get("owner") or called(function, failure.line)
    if function == "einsum" and failure.groups["takes"] == "2":
        yield failure.hit(say("einsum-takes-a-list"))
        return
    if not torchs and not UNMISTAKABLE.search(failure.line) and not (failing and failing.is_torch):
        return  # the program's own function may have raised it
    if function in SIZES:
        yield failure.hit(say("size-is-no-integer", function=function))
    elif function in JOINS:
        yield failure.hit(say("takes-a-list", function=function))
    elif function in CONVERTS:
        yield failure.hit(say("convert-with-to", function=function))
    elif failure.groups["takes"] == "no":
        given = failure.groups["given"]
        yield failure.hit(say("takes-no-arguments", function=function, given=given))
    else:
        takes, given = failure.groups["takes"], failure.groups["given"]
        yield failure.hit(say("takes-fewer-arguments", function=function, takes=takes, given=given))
