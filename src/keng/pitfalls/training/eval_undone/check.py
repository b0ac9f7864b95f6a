"""Source code: a part that the constructor puts into eval mode goes back to training with the model."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def part_switched_with_model(code: Code) -> Hits:
    for train, owner, part, layers in code.evals_undone():
        name = code.text_of(code.receiver(train))
        says = f"`{name}.train()` puts `{part}` back into training mode; `{owner}` wants it in eval mode"
        heed = ", ".join(f"`{layer}`" for layer in sorted(layers or ()))
        yield code.hit(train, f"{says}: {heed}" if heed else says, sure=bool(layers))
