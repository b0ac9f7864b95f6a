"""Error messages: a masked tensor is asked for what it cannot do."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("operator-missing")
def operator_missing(failure: Failure) -> Hits:
    yield failure.hit(
        f"masked tensors have no `{failure.groups['op']}`: torch.masked's functions on plain tensors, x[mask], or to_tensor() before it"
    )


@explains("masks-differ")
def masks_differ(failure: Failure) -> Hits:
    yield failure.hit(
        "two masked tensors have different masks: give both the one that is meant, as mask1 & mask2"
    )


@explains("dtype-missing")
def dtype_missing(failure: Failure) -> Hits:
    yield failure.hit(
        f"a masked tensor holds no {failure.groups['what']}: float16 to float64, whole numbers, or bool"
    )


@explains("of-a-layout")
def of_a_layout(failure: Failure) -> Hits:
    op, layout = failure.groups["op"], failure.groups["layout"]
    yield failure.hit(f"torch.masked.{op} knows no {layout}: x.to_dense(), with a mask")


@explains("without-a-mask")
def without_a_mask(failure: Failure) -> Hits:
    op, layout = failure.groups["op"], failure.groups["layout"]
    yield failure.hit(
        f"what a {layout} tensor leaves out is no zero to torch.masked.{op}: mask= says which count"
    )
