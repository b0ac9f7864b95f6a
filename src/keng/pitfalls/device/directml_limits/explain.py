"""Error messages: directML cannot do what other devices can."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("not-by-an-old-constructor")
def not_by_an_old_constructor(failure: Failure) -> Hits:
    yield failure.hit(
        f"x.new(...) and torch.Tensor(...) make nothing on {failure.groups['device']}: torch.empty(..., device=x.device)"
    )


@explains("too-many-dimensions")
def too_many_dimensions(failure: Failure) -> Hits:
    most, came = failure.groups["most"], failure.groups["came"]
    yield failure.hit(
        f"this operation of DirectML takes {most} dimensions at most, and {came} came: on the CPU, or fewer dimensions"
    )


@explains("refused-by-windows")
def refused_by_windows(failure: Failure) -> Hits:
    what = failure.groups.get("what")
    number = f" ({what})" if what else ""
    yield failure.hit(
        f"DirectML refuses the operation{number}: on the CPU, or another driver, or the torch that belongs to torch-directml"
    )
