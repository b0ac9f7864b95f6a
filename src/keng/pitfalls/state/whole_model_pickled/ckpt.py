"""Checkpoints: the whole model is pickled, not its weights."""

from __future__ import annotations

from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.tree import dotted
from keng.model import Hits
from keng.rules import inspects


@inspects("modules")
def model_in_the_file(checkpoint: Checkpoint) -> Hits:
    if checkpoint.format == "torchscript":
        return  # its code is in the file
    for path, model in checkpoint.modules:
        under = f" under `{dotted(path)}`" if path else ""
        says = f"the file holds a whole `{model.name}`{under}, which loads only where that class is"
        yield checkpoint.hit(says, tensors=len(checkpoint.tensors))
