"""Error messages: the moved tensor is thrown away."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("two-devices-or-dtypes")
def two_devices_or_dtypes(failure: Failure) -> Hits:
    if failure.passed_through("torchmetrics/metric.py"):
        return  # what it makes of it names the metric
    kinds = {(operand.dtype, operand.device) for operand in failure.live.operands}
    operands = [f"`{o.name}` ({o.dtype}, {o.device})" for o in failure.live.operands]
    said = failure.message.lower()
    types = {word for word in ("cuda", "mps", "xpu") if said.count(word) == 1}
    devices = "device" in said or "backend" in said or bool(types)
    says = say("two-devices") if devices else say("two-dtypes")
    if len(kinds) > 1:
        named = ", ".join(operands)
        says = say("operands-of-two-dtypes", operands=named)
        if devices:
            says = say("operands-apart", operands=named)
    yield failure.hit(says, sure=False)
