"""Checkpoints: a checkpoint file is cut off, or is something else."""

from __future__ import annotations

from keng.ckpt.checkpoint import Checkpoint
from keng.model import Hits, say
from keng.rules import inspects


@inspects("broken")
def not_whole(checkpoint: Checkpoint) -> Hits:
    count = len(checkpoint.tensors)
    part = count or checkpoint.format == "zip"
    says = say("not-whole-writes-what") if part else say("not-a-checkpoint")
    yield checkpoint.hit(says, bytes=checkpoint.nbytes, tensors=count)
