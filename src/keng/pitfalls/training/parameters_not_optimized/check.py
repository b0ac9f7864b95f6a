"""Source code: a layer is put into the model after the optimizer was made."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def layer_put_in_too_late(code: Code) -> Hits:
    for made, model, layer in code.layers_after_optimizer():
        name, line = code.text_of(layer), code.line_of(made)
        says = f"`{name}` is not in the optimizer, which took the parameters of `{model}` on line {line}"
        yield code.hit(layer, says)
