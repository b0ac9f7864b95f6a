"""Source code: a mask hides the tokens instead of the padding."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def words_are_hidden(code: Code) -> Hits:
    for mask, taker, hides in code.masks_turned_round():
        text = code.text_of(mask)
        if hides:
            says = f"`{text}` is True for what is no padding, and `{taker}` hides what is True: `~`"
        else:
            says = f"`{text}` is True for padding, and to `{taker}` that is what takes part: `~`"
        fix = Fix("Turn the mask round", (code.replace(mask, f"~{code.operand(mask)}"),))
        yield code.hit(mask, says, fix)
