"""Checkpoints: a state dict does not fit the model it is loaded into."""

from __future__ import annotations

from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.tree import dotted
from keng.model import Hits, say
from keng.rules import inspects


@inspects("emptied")
def saved_in_shards(checkpoint: Checkpoint) -> Hits:
    for empty in checkpoint.emptied:
        says = say("weights-empty-first-zero", n=len(empty), name=dotted(empty[0]))
        yield checkpoint.hit(says, empty=len(empty))
