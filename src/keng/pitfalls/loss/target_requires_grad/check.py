"""Source code: a target requires a gradient."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def labels_first(code: Code) -> Hits:
    for call, output, model in code.losses_turned_round():
        says = (
            f"`{code.text_of(output)}` is the output of `{code.text_of(model)}`, and a label of the"
        )
        yield code.hit(call, f"{says} batch stands first: they have changed places")
