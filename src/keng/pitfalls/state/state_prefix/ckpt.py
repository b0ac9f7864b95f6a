"""Checkpoints: the keys of a state dict carry the name of a wrapper."""

from __future__ import annotations

from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.nodes import Tensor
from keng.ckpt.tree import dotted
from keng.model import Hits, say
from keng.rules import inspects
from keng.tables.state_names import WRAPPERS


@inspects("dicts", sure=False)
def wrapped_names_in_the_file(checkpoint: Checkpoint) -> Hits:
    """Whoever loads them into the same wrapper wants them so."""
    for path, node in checkpoint.dicts:
        names = [name for name, value in node.names.items() if isinstance(value, Tensor)]
        parts = [part for part in WRAPPERS if any(part in name.split(".")[:-1] for name in names)]
        wrapped = [name for name in names if set(parts) & set(name.split(".")[:-1])]
        if parts:
            values = {"part": parts[0], "n": len(wrapped), "total": len(names)}
            inside = say("wrapped-names-inside", path=dotted(path), **values)
            says = inside if path else say("wrapped-names", **values)
            yield checkpoint.hit(says, sure=False, wrapped=len(wrapped))
