"""Error messages: under autocast all is computed in float32."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("turned-off")
def turned_off(failure: Failure) -> Hits:
    yield failure.hit(
        f"autocast on {failure.groups['device']} has no such dtype and is off, so that all is computed in float32: torch.bfloat16"
    )
