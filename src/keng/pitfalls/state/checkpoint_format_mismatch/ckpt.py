"""Checkpoints: a file is read by another function than the one it was written for."""

from __future__ import annotations

from keng.ckpt.checkpoint import Checkpoint
from keng.model import Hits, say
from keng.rules import inspects


@inspects("refused")
def pickled_tensors(checkpoint: Checkpoint) -> Hits:
    plain = checkpoint.format == "pickle" and checkpoint.tensors and not checkpoint.broken
    if plain and not any(name.module.startswith("joblib.") for name in checkpoint.imports):
        yield checkpoint.hit(say("plain-pickle"))
