"""A running program: the host waits for the GPU once for every parameter."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import DeviceReads


@watches("device.reads")
def many_reads_in_a_step(seen: DeviceReads) -> Hits:
    if seen.reads >= 10:
        says = f"this line has read {seen.reads} values from the GPU in one step"
        yield seen.hit(f"{says}, and waited for it each time", reads=seen.reads)
