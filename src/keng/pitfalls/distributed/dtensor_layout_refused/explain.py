"""Error messages: a distributed tensor lies in parts that the operation cannot work on."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("takes-the-cut-apart")
def takes_the_cut_apart(failure: Failure) -> Hits:
    yield failure.hit(
        f"the tensor is cut along dimension {failure.groups['dim']}, which this takes apart: Replicate() or another Shard first, by "
        "x.redistribute(placements=[...])"
    )


@explains("cut-unevenly")
def cut_unevenly(failure: Failure) -> Hits:
    dim, size, parts = (failure.groups[key] for key in ("dim", "size", "parts"))
    yield failure.hit(
        f"dimension {dim} has {size} entries for {parts} ranks, and view or reshape wants parts of one size: redistribute to Replicate() "
        f"first, or a size that {parts} divides"
    )


@explains("in-place")
def in_place(failure: Failure) -> Hits:
    yield failure.hit(
        f"the result of `{failure.groups['op']}` lies otherwise than the tensor it is written into: the operation that is not in place"
    )


@explains("no-such-dimension")
def no_such_dimension(failure: Failure) -> Hits:
    dim, n = failure.groups["dim"], int(failure.groups["n"])
    yield failure.hit(
        f"`Shard({dim})` cuts a tensor of {n} dimensions, which are counted from 0 to {n - 1}"
    )
