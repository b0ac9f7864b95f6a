"""Checkpoints: a checkpoint file is cut off, or is something else."""

from __future__ import annotations

from keng.ckpt.checkpoint import Checkpoint
from keng.model import Hits, say
from keng.rules import inspects


@inspects("broken")
def not_whole(checkpoint: Checkpoint) -> Hits:
    count = len(checkpoint.tensors)
    says = "it is no checkpoint that torch loads"
    if count or checkpoint.format == "zip":
        says = say("not-whole-writes-what")
    yield checkpoint.hit(says, bytes=checkpoint.nbytes, tensors=count)
