"""Error messages: a window or its padding is larger than what it goes over."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains


@explains("more-than-there-is")
def more_than_there_is(failure: Failure) -> Hits:
    pad, dim, shape = (failure.groups[key] for key in ("pad", "dim", "shape"))
    yield failure.hit(_too_much_padding(pad, dim, shape))


@explains("nothing-to-pool")
def nothing_to_pool(failure: Failure) -> Hits:
    few, many = (failure.groups.get(key) or n for key, n in (("few", "3"), ("many", "4")))
    yield failure.hit(say("input-is-empty", layer=failure.layer, few=few, many=many))


def _too_much_padding(pad: str, dim: str, shape: str) -> Message:
    """What padding that mirrors or repeats says of a tensor with less than that."""
    says = say("padding-exceeds-dimension", pad=pad, dim=dim, shape=shape.strip())
    return _of_a_signal(pad, shape) or says


def _of_a_signal(pad: str, shape: str) -> Message | None:
    """What a row of values says that is mirrored at both ends by as much, "1024, 1024" for "1, 65621, 2";
    None of images."""
    ends, sizes = [int(n) for n in pad.split(", ")], [int(n) for n in shape.split(", ")]
    if len(ends) != 2 or len(set(ends)) > 1 or len(sizes) != 3:
        return None
    (end, _), (_, before, last) = ends, sizes
    if last < 9 < end < before:
        return say("signal-channels-last", samples=before, channels=last)
    if end > 31:
        return say("signal-shorter-than-window", values=last, end=end)
    return say("signal-shorter-than-padding", values=last, end=end)
