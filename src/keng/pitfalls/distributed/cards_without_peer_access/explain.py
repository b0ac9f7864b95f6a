"""Error messages: the cards of a machine cannot read each other's memory."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-way-between")
def no_way_between(failure: Failure) -> Hits:
    yield failure.hit(
        "these cards do not read each other's memory: NCCL_P2P_DISABLE=1 and NCCL_IB_DISABLE=1 before the start, or custom "
        "all-reduce off"
    )
