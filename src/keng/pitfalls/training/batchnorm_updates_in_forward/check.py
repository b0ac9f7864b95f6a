"""Source code: a frozen part goes on learning through its batch statistics."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def frozen_and_still_in_training_mode(code: Code) -> Hits:
    for call in code.frozen_forwards():
        norms = {name for name in code.mode_layers(call.func) or () if "BatchNorm" in name}
        if norms and code.mode_at(call.func, call) in ("", "train"):
            name = code.text_of(call.func)
            says = f"`{name}` is not to learn, and its running statistics follow each batch"
            yield code.hit(call, f"{says}: nothing put it in eval mode")


@finds
def woken_with_the_whole(code: Code) -> Hits:
    for call, part, norms in code.woken_backbones():
        says = (
            f"`{part}` is frozen, and this wakes its batch norm, whose running statistics then move"
        )
        yield code.hit(call, says, layers=", ".join(sorted(norms)))


@finds
def frozen_in_the_mode_it_was_made_in(code: Code) -> Hits:
    for where, part, norms in code.frozen_as_made():
        says = f"`{part}` is frozen and in training mode: the running statistics of its batch norm move"
        yield code.hit(where, says, layers=", ".join(sorted(norms)))
