"""Error messages: distributedDataParallel wraps what it cannot: nothing that learns, or what is not on its device."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("on-another-device")
def on_another_device(failure: Failure) -> Hits:
    ids, where = failure.groups["ids"] or "device_ids", failure.groups["where"]
    says = say("module-elsewhere", where=where, ids=ids)
    if not where:
        says = say("module-off-device", ids=ids)
    elif where.count("index=") > 1:
        says = say("module-on-several-gpus", where=where, ids=ids)
    yield failure.hit(says)
