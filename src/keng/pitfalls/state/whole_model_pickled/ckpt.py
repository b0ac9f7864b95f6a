"""Checkpoints: the whole model is pickled, not its weights."""

from __future__ import annotations

from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.tree import dotted
from keng.model import Hits, say
from keng.rules import inspects


@inspects("modules")
def model_in_the_file(checkpoint: Checkpoint) -> Hits:
    if checkpoint.format == "torchscript":
        return  # its code is in the file
    for path, model in checkpoint.modules:
        under = say("file-holds-model-under", name=model.name, path=dotted(path))
        says = under if path else say("file-holds-model", name=model.name)
        yield checkpoint.hit(says, tensors=len(checkpoint.tensors))
