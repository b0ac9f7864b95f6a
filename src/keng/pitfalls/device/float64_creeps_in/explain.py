"""Error messages: a model of float32 computes in float64."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-float64-on-this-device")
def no_float64_on_this_device(failure: Failure) -> Hits:
    wide = [o for o in failure.live.operands if o.dtype == "float64"]
    name = f"`{wide[0].name}`" if len(wide) == 1 else "a tensor"
    yield failure.hit(
        f"{name} is float64, as what comes from NumPy is, and Metal has none: .float() before it is moved"
    )
