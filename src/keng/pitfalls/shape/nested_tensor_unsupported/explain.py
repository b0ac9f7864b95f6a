"""Error messages: an operation does not know nested tensors, or these do not fit each other."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("asked-for-a-shape")
def asked_for_a_shape(failure: Failure) -> Hits:
    yield failure.hit(
        say("nested-tensor-older-layout", what=failure.groups["what"].removesuffix("s"))
    )


@explains("irregular")
def irregular(failure: Failure) -> Hits:
    yield failure.hit(say("parts-differ-dimension-x", dim=failure.groups["dim"]))


@explains("with-a-dense-one")
def with_a_dense_one(failure: Failure) -> Hits:
    yield failure.hit(say("nested-tensor-meets-dense"))


@explains("of-other-lengths")
def of_other_lengths(failure: Failure) -> Hits:
    yield failure.hit(say("shapes-do-not-share", shapes=failure.groups["shapes"]))


@explains("of-different-dimensions")
def of_different_dimensions(failure: Failure) -> Hits:
    one, other = sorted(failure.groups[name] for name in ("one", "other"))
    yield failure.hit(say("parts-have-dimensions-may", other=one, other_2=other))


@explains("without-a-form")
def without_a_form(failure: Failure) -> Hits:
    yield failure.hit(say("does-not-know-nested", op=failure.groups["op"]))


@explains("summed-across")
def summed_across(failure: Failure) -> Hits:
    yield failure.hit(say("older-layout-sums-over", dim=failure.groups["dim"]))
