"""Error messages: batch norm's counter is missing from a state dict, or not known to the model."""

from __future__ import annotations

from keng.ckpt.mapping import StateErrors
from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

COUNTER = "num_batches_tracked"


@explains("counters-only")
def counters_only(failure: Failure) -> Hits:
    errors = StateErrors.of(failure.message)
    keys = (*errors.missing, *errors.unexpected)
    if errors.shapes or not keys or not all(key.endswith(COUNTER) for key in keys):
        return
    missing = say("counters-missing", n=len(keys), key=keys[0])
    says = missing if errors.missing else say("counters-unknown", n=len(keys))
    yield failure.hit(says, keys=len(keys))
