"""Error messages: two shapes do not fit together element by element."""

from __future__ import annotations

from keng.explain.advice import sizes
from keng.explain.advice.images import stretched_otherwise
from keng.explain.advice.positions import met
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("sizes-that-differ")
def sizes_that_differ(failure: Failure) -> Hits:
    one, other, dim = (int(failure.groups[name]) for name in ("one", "other", "dim"))
    says, cure = met(failure, one, other, dim)
    size, fix = failure.mended("inverse_of_odd", one, other) or ("", None)
    cure = "one is empty, a slice past the end or ZeRO-3's weight" if 0 in (one, other) else cure
    cure = f"irfft gives an even length unless it is told: `{size}`" if size else cure
    yield failure.hit(f"{says}: {cure}", fix, one=one, other=other)


@explains("stretched-too-little")
def stretched_too_little(failure: Failure) -> Hits:
    wants, came, dim = (failure.groups[name] for name in ("wants", "came", "dim"))
    yield failure.hit(stretched_otherwise(failure.message, came, wants, dim))


@explains("changed-in-place-cannot-grow")
def changed_in_place_cannot_grow(failure: Failure) -> Hits:
    has, gets = failure.groups["has"], failure.groups["gets"]
    cure = sizes.normalized_otherwise(failure, has, gets) or sizes.weighed_otherwise(failure)
    says = f"({has}) is changed in place and would have to grow to ({gets})"
    yield failure.hit(f"{says}: {cure or sizes.grown(has, gets)}")


@explains("mask-of-another-shape")
def mask_of_another_shape(failure: Failure) -> Hits:
    mask, tensor, at = (failure.groups[name] for name in ("mask", "tensor", "at"))
    says = f"a mask of ({mask}) for a tensor of ({tensor}): it marks elements one by one"
    there = int(failure.groups["there"] or at)
    yield failure.hit(
        sizes.marked_elsewhere(mask, tensor, there)
        or says + sizes.flattened_otherwise(mask, tensor, int(at))
    )


@explains("too-few-sizes")
def too_few_sizes(failure: Failure) -> Hits:
    what = f" of shape [{has}]" if (has := failure.groups.get("has")) else ""
    yield failure.hit(
        f"expand or repeat gets fewer sizes than the tensor{what} has dimensions, also where one is assigned to another"
    )


@explains("in-old-words")
def in_old_words(failure: Failure) -> Hits:
    one, other = failure.groups["one"], failure.groups["other"]
    yield failure.hit(f"two tensors do not have the same number of elements: {one} and {other}")


@explains("in-an-old-kernel")
def in_an_old_kernel(failure: Failure) -> Hits:
    yield failure.hit(sizes.weighed_otherwise(failure) or sizes.not_stretched(failure.message))
