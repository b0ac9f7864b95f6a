"""Error messages: an operation does not know nested tensors, or these do not fit each other."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("asked-for-a-shape")
def asked_for_a_shape(failure: Failure) -> Hits:
    yield failure.hit(
        f"a nested tensor of the older layout has no single {failure.groups['what'].removesuffix('s')}: layout=torch.jagged, or x.to_padded_tensor(0.0)"
    )


@explains("irregular")
def irregular(failure: Failure) -> Hits:
    yield failure.hit(
        f"the parts differ in dimension {failure.groups['dim']}: x.offsets() tells where each begins"
    )


@explains("with-a-dense-one")
def with_a_dense_one(failure: Failure) -> Hits:
    yield failure.hit(
        "a nested tensor meets a dense one: layout=torch.jagged spreads those, or make both nested"
    )


@explains("of-other-lengths")
def of_other_lengths(failure: Failure) -> Hits:
    yield failure.hit(
        f"the shapes {failure.groups['shapes']} do not share their lengths: make one with the offsets() of the other, or both dense"
    )


@explains("of-different-dimensions")
def of_different_dimensions(failure: Failure) -> Hits:
    one, other = sorted(failure.groups[name] for name in ("one", "other"))
    yield failure.hit(f"the parts have {one} and {other} dimensions, and may differ in sizes alone")


@explains("without-a-form")
def without_a_form(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['op']} does not know nested tensors so: x.to_padded_tensor(0.0), or a loop over x.unbind()"
    )


@explains("summed-across")
def summed_across(failure: Failure) -> Hits:
    yield failure.hit(
        f"the older layout sums over its last dimension alone, not over dimension {failure.groups['dim']}: layout=torch.jagged, or x.to_padded_tensor(0.0)"
    )
