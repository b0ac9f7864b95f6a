"""Error messages: a PyTorch for AMD's cards does not reach them."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-way-to-the-card")
def no_way_to_the_card(failure: Failure) -> Hits:
    yield failure.hit(say("user-or-container-may"))


@explains("library-missing")
def library_missing(failure: Failure) -> Hits:
    yield failure.hit(say("rocm-not-found-was", file=failure.groups["file"]))


@explains("compiler-not-there")
def compiler_not_there(failure: Failure) -> Hits:
    yield failure.hit(say("rocm-s-compiler-hipcc"))
