"""Error messages: a model that is wrapped does not lie on the first card of its list."""

from __future__ import annotations

from keng.explain.advice.processes import off_the_first
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("lies-elsewhere")
def lies_elsewhere(failure: Failure) -> Hits:
    first, there = failure.groups["first"], failure.groups["there"]
    yield failure.hit(off_the_first(failure, first, there))


@explains("parts-elsewhere")
def parts_elsewhere(failure: Failure) -> Hits:
    yield failure.hit(
        "the model lies on another card than the first of device_ids: move it there; in a process for each card "
        "torch.cuda.set_device(local_rank) first"
    )
