"""Error messages: an operator has no form in Core ML."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("written-by-newer-torch")
def written_by_newer_torch(failure: Failure) -> Hits:
    yield failure.hit(say("has-another-number-inputs", op=failure.groups["op"]))


@explains("not-converted")
def not_converted(failure: Failure) -> Hits:
    yield failure.hit(say("has-no-conversion-core", op=failure.groups["op"]))


@explains("too-many-dimensions")
def too_many_dimensions(failure: Failure) -> Hits:
    layer, op, rank = (failure.groups[name] for name in ("layer", "op", "rank"))
    yield failure.hit(say("makes-dimensions-core-ml", rank=op, layer=layer, rank_2=rank))


@explains("made-by-what-is-left-out")
def made_by_what_is_left_out(failure: Failure) -> Hits:
    yield failure.hit(say("made-operation-coremltools-leaves", name=failure.groups["name"]))
