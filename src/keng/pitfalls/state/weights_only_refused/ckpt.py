"""Checkpoints: `torch.load` rejects a file that contains more than plain data."""

from __future__ import annotations

from keng.ckpt.checkpoint import Checkpoint
from keng.model import Hits, say
from keng.rules import inspects
from keng.tables.pickled_names import allowing


@inspects("refused")
def names_not_allowed(checkpoint: Checkpoint) -> Hits:
    refused = sorted(map(str, checkpoint.refused))
    if checkpoint.format not in ("zip", "legacy") or checkpoint.modules:
        return  # of a whole model, that is what is wrong
    names = ", ".join(f"`{name}`" for name in refused[:6])
    if len(refused) > 6:
        names = say("and-more", names=names, n=len(refused) - 6)
    if library := allowing(refused):
        says = say("refused-import", names=names, library=library)
    else:
        says = (
            say("refused-calls", names=names)
            if checkpoint.calls
            else say("refused-known", names=names)
        )
    yield checkpoint.hit(says, names=len(refused))
