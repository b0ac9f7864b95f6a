"""Error messages: an extension in C++ or CUDA uses what PyTorch no longer has."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains
from keng.tables.removed_cxx_symbols import HEADERS, TOLD


@explains("not-there")
def not_there(failure: Failure) -> Hits:
    name = failure.groups["name"]
    now = HEADERS.get(name) or (TOLD[name].new if name in TOLD else "something of ATen")
    says = f"`{name}` is gone from PyTorch; now it is {now.removeprefix('= ')}"
    older = "torch<1.11" if name in HEADERS else "the torch it was made for"
    yield failure.hit(f"{says}; of a package a newer release, or {older}")


@explains("type-dispatched")
def type_dispatched(failure: Failure) -> Hits:
    yield failure.hit(say("at-dispatch-macro-given"))


@explains("headers-older-than-the-source")
def headers_older_than_the_source(failure: Failure) -> Hits:
    yield failure.hit(say("sources-give-scalar-type"))
