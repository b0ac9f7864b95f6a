"""Error messages: directML cannot do what other devices can."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-by-an-old-constructor")
def not_by_an_old_constructor(failure: Failure) -> Hits:
    yield failure.hit(say("x-new-torch-tensor", device=failure.groups["device"]))


@explains("too-many-dimensions")
def too_many_dimensions(failure: Failure) -> Hits:
    most, came = failure.groups["most"], failure.groups["came"]
    yield failure.hit(say("operation-directml-takes-dimensions", came=most, came_2=came))


@explains("refused-by-windows")
def refused_by_windows(failure: Failure) -> Hits:
    what = failure.groups.get("what")
    number = f" ({what})" if what else ""
    yield failure.hit(
        f"DirectML refuses the operation{number}: on the CPU, or another driver, or the torch that belongs to torch-directml"
    )
