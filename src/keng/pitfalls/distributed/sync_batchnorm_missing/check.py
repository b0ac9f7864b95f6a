"""Source code: batch norm in DistributedDataParallel sees one rank's samples only."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def noisy_statistics(code: Code) -> Hits:
    wraps = code.wraps
    for wrap in wraps if wraps and not code.says("SyncBatchNorm", "sync_batchnorm") else ():
        layers = code.mode_layers(wrap.args[0]) if wrap.args else None
        few = code.few_on_each_rank(wrap)
        norms = {name for name in layers or () if "BatchNorm" in name}
        if few is not None and norms and not code.keeps_statistics(wrap.args[0]):
            yield code.hit(wrap, f"batch norm sees {few} samples a rank: its statistics are noise")
