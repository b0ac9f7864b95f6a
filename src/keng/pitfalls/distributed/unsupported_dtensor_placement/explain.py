"""Error messages: a distributed tensor lies in parts that the operation cannot work on."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("cut-unevenly")
def cut_unevenly(failure: Failure) -> Hits:
    dim, size, parts = (failure.groups[key] for key in ("dim", "size", "parts"))
    yield failure.hit(say("dimension-has-entries-ranks", parts=dim, size=size, parts_2=parts))


@explains("no-such-dimension")
def no_such_dimension(failure: Failure) -> Hits:
    dim, n = failure.groups["dim"], int(failure.groups["n"])
    yield failure.hit(say("cuts-tensor-dimensions-counted", last=dim, n=n, value=n - 1))
