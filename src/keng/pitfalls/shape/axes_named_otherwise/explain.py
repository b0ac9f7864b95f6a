"""Error messages: a pattern of einops names other axes than the tensor has."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-multiple")
def no_multiple(failure: Failure) -> Hits:
    shape, size, part = (failure.groups[key] for key in ("shape", "size", "part"))
    yield failure.hit(
        f"an axis of {size} in a tensor of shape {shape} is to be cut into parts of {part}: resize or pad it to a multiple of {part}"
    )


@explains("another-number")
def another_number(failure: Failure) -> Hits:
    shape, wants, came = (failure.groups[key] for key in ("shape", "wants", "came"))
    yield failure.hit(
        f"the pattern names {wants} dimensions, and the tensor has {came} dimensions, {shape}: a batch or channel axis is missing, or it is another tensor"
    )


@explains("other-parts")
def other_parts(failure: Failure) -> Hits:
    shape, said, size = (failure.groups[key] for key in ("shape", "said", "size"))
    yield failure.hit(
        f"the sizes that are given make {said} and not {size}, as an axis of shape {shape} has: leave one out, which is computed"
    )
