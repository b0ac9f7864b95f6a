"""Checkpoints: batch norm's counter is missing from a state dict, or not known to the model."""

from __future__ import annotations

from keng.ckpt.checkpoint import Checkpoint
from keng.model import Hits, say
from keng.rules import inspects


@inspects("uncounted")
def counters_taken_out(checkpoint: Checkpoint) -> Hits:
    for lost in checkpoint.uncounted:
        says = say("layers-without-counter", n=len(lost), name=lost[0])
        yield checkpoint.hit(says, layers=len(lost))
