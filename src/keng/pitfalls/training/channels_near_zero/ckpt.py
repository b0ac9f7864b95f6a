"""Checkpoints: channels of a convolution carry nothing."""

from __future__ import annotations

from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.tree import dotted
from keng.model import Hits, say
from keng.rules import inspects

SMALL = 1e-3
"""Of the largest channel of the layer."""


@inspects("stats")
def channels_that_carry_nothing(checkpoint: Checkpoint) -> Hits:
    for path, stats in checkpoint.stats.items():
        largest = max(stats.channels, default=0.0)
        empty = [n for n, size in enumerate(stats.channels) if size < largest * SMALL]
        if empty:
            shown = ", ".join(map(str, empty[:8])) + (" ..." if len(empty) > 8 else "")
            counts = {"empty": len(empty), "total": len(stats.channels)}
            says = say("channels-carry-nothing", path=dotted(path), shown=shown, **counts)
            yield checkpoint.hit(says, channels=len(empty))
