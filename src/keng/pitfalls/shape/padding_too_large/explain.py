"""Error messages: a window or its padding is larger than what it goes over."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("more-than-half")
def more_than_half(failure: Failure) -> Hits:
    yield failure.hit(say("pooling-takes-padding-half"))


@explains("more-than-there-is")
def more_than_there_is(failure: Failure) -> Hits:
    pad, dim, shape = (failure.groups[key] for key in ("pad", "dim", "shape"))
    yield failure.hit(_too_much_padding(pad, dim, shape))


@explains("of-other-dimensions")
def of_other_dimensions(failure: Failure) -> Hits:
    yield failure.hit(say("kind-padding-exists-other"))


@explains("nothing-to-pool")
def nothing_to_pool(failure: Failure) -> Hits:
    few, many = (failure.groups.get(key) or n for key, n in (("few", "3"), ("many", "4")))
    yield failure.hit(say("wants-or-dimensions-none", many=failure.layer, few=few, many_2=many))


def _too_much_padding(pad: str, dim: str, shape: str) -> str:
    """What padding that mirrors or repeats says of a tensor with less than that."""
    says = f"padding of ({pad}) takes more than dimension {dim} of [{shape.strip()}] has"
    cure = "larger inputs or less padding; mode='constant' takes any"
    return _of_a_signal(pad, shape) or f"{says}: {cure}"


def _of_a_signal(pad: str, shape: str) -> str:
    """What a row of values says that is mirrored at both ends by as much, "1024, 1024" for "1, 65621, 2":
    nothing of images."""
    ends, sizes = [int(n) for n in pad.split(", ")], [int(n) for n in shape.split(", ")]
    if len(ends) != 2 or len(set(ends)) > 1 or len(sizes) != 3:
        return ""
    (end, _), (_, before, last) = ends, sizes
    if last < 9 < end < before:
        says = f"a signal of {before} samples has its {last} channels last"
        return f"{says}, where samples are looked for: x.t(), or x.mean(-1) for one channel"
    says = f"{last} values in a row are mirrored by {end} at each end: a longer piece"
    return f"{says}, or a smaller n_fft, of which {end} is half" if end > 31 else says
