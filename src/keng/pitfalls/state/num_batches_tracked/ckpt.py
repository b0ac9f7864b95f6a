"""Checkpoints: batch norm's counter is missing from a state dict, or not known to the model."""

from __future__ import annotations

from keng.ckpt.checkpoint import Checkpoint
from keng.model import Hits
from keng.rules import inspects


@inspects("uncounted")
def counters_taken_out(checkpoint: Checkpoint) -> Hits:
    for lost in checkpoint.uncounted:
        says = f"batch norm's counter is missing from {len(lost)} layers, `{lost[0]}` first"
        yield checkpoint.hit(f"{says}: load_state_dict refuses that", layers=len(lost))
