"""Error messages: the moved tensor is thrown away."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("two-devices-or-dtypes")
def two_devices_or_dtypes(failure: Failure) -> Hits:
    if failure.passed_through("torchmetrics/metric.py"):
        return  # what it makes of it names the metric
    kinds = {(operand.dtype, operand.device) for operand in failure.live.operands}
    there = [f"`{o.name}` is {o.dtype} on {o.device}" for o in failure.live.operands]
    said = failure.message.lower()
    types = {word for word in ("cuda", "mps", "xpu") if said.count(word) == 1}
    devices = "device" in said or "backend" in said or bool(types)
    met = "two devices meet" if devices else "two dtypes meet"
    says = "; ".join(there) if len(kinds) > 1 else met
    done = "moved" if devices else "converted"
    yield failure.hit(f"{says}: one was not {done}, or its {done} copy was dropped", sure=False)
