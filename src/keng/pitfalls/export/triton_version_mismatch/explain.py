"""Error messages: triton is of another version than PyTorch or the card wants."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("assembler-too-old")
def assembler_too_old(failure: Failure) -> Hits:
    wants, has = failure.groups["wants"], failure.groups["has"]
    yield failure.hit(say("triton-writes-ptx-assembler", has=wants, has_2=has))
