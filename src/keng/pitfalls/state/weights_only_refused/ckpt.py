"""Checkpoints: `torch.load` refuses what is no plain data."""

from __future__ import annotations

from keng.ckpt.checkpoint import Checkpoint
from keng.model import Hits
from keng.rules import inspects
from keng.tables.pickled_names import allowing


@inspects("refused")
def names_not_allowed(checkpoint: Checkpoint) -> Hits:
    refused = sorted(map(str, checkpoint.refused))
    if checkpoint.format not in ("zip", "legacy") or checkpoint.modules:
        return  # of a whole model, that is what is wrong
    shown = ", ".join(f"`{name}`" for name in refused[:6])
    more = f" and {len(refused) - 6} more" if len(refused) > 6 else ""
    says = f"torch.load refuses the file since 2.6, because of {shown}{more}"
    cure = "if `keng ckpt scan` says KNOWN, load it with weights_only=False"
    if checkpoint.calls:
        cure = "`keng ckpt scan` tells what it would call, `keng ckpt convert` leaves that out"
    if library := allowing(refused):
        cure = f"after `import {library}`, which allows its own classes, it takes the file"
    yield checkpoint.hit(f"{says}; {cure}", names=len(refused))
