"""Error messages: a window or its padding is larger than what it goes over."""

from __future__ import annotations

from keng.explain.advice.sizes import too_much_padding
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("more-than-half")
def more_than_half(failure: Failure) -> Hits:
    yield failure.hit("pooling takes padding of half of its window at most")


@explains("more-than-there-is")
def more_than_there_is(failure: Failure) -> Hits:
    pad, dim, shape = (failure.groups[key] for key in ("pad", "dim", "shape"))
    yield failure.hit(too_much_padding(pad, dim, shape))


@explains("of-other-dimensions")
def of_other_dimensions(failure: Failure) -> Hits:
    yield failure.hit(
        "this kind of padding exists for other dimensions: a batch or channel dimension is missing"
    )


@explains("nothing-to-pool")
def nothing_to_pool(failure: Failure) -> Hits:
    few, many = (failure.groups.get(key) or n for key, n in (("few", "3"), ("many", "4")))
    yield failure.hit(
        f"{failure.layer} wants {few} or {many} dimensions, and none of them empty but the batch"
    )
