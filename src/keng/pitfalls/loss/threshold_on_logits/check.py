"""Source code: logits are compared with 0.5."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def compared_with_a_half(code: Code) -> Hits:
    for compared, half in code.halves_of_logits():
        text = code.text_of(compared.left)
        says = f"`{text}` are logits, and 0.5 a probability of 0.62 there: compare with 0"
        yield code.hit(compared, says, Fix("Compare with 0", (code.replace(half, "0"),)))
