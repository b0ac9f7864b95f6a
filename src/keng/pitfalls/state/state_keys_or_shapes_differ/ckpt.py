"""Checkpoints: a state dict does not fit the model it is loaded into."""

from __future__ import annotations

from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.tree import dotted
from keng.model import Hits
from keng.rules import inspects


@inspects("emptied")
def saved_in_shards(checkpoint: Checkpoint) -> Hits:
    for empty in checkpoint.emptied:
        says = f"{len(empty)} weights are empty, `{dotted(empty[0])}` first, as ZeRO-3 saves them: `keng ckpt convert FOLDER OUT` joins the shards"
        yield checkpoint.hit(says, empty=len(empty))
