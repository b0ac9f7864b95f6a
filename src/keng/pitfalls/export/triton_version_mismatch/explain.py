"""Error messages: triton is of another version than PyTorch or the card wants."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("another-triton")
def another_triton(failure: Failure) -> Hits:
    yield failure.hit(say("triton-installed-has-no", name=failure.groups["name"]))


@explains("card-too-new")
def card_too_new(failure: Failure) -> Hits:
    yield failure.hit(say("assembler-ptxas-older-than", card=failure.groups["card"]))


@explains("triton-itself")
def triton_itself(failure: Failure) -> Hits:
    yield failure.hit(say("triton-cannot-compile-kernel"))


@explains("not-one")
def not_one(failure: Failure) -> Hits:
    yield failure.hit(say("two-tritons-installed-triton"))


@explains("assembler-too-old")
def assembler_too_old(failure: Failure) -> Hits:
    wants, has = failure.groups["wants"], failure.groups["has"]
    yield failure.hit(say("triton-writes-ptx-assembler", has=wants, has_2=has))


@explains("toolkit-too-new")
def toolkit_too_new(failure: Failure) -> Hits:
    yield failure.hit(say("triton-does-not-know", cuda=failure.groups["cuda"]))
