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
    if errors.missing:
        says = f"only batch norm's counters are missing, {len(keys)} of them: add each as a zero"
        yield failure.hit(f'{says}, state["{keys[0]}"] = torch.tensor(0)', keys=len(keys))
    else:
        says = f"only batch norm's counters are not known here, {len(keys)} of them"
        yield failure.hit(
            f"{says}: the model's batch norms are of before 0.4.1, frozen or without statistics; drop them, or strict=False",
            keys=len(keys),
        )


@explains("counter-not-known")
def counter_not_known(failure: Failure) -> Hits:
    key = failure.groups["key"]
    yield failure.hit(say("came-torch-older-drop", key=key))
