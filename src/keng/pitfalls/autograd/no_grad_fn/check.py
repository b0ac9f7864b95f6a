"""Source code: the loss hangs on nothing that learns."""

from __future__ import annotations

from textwrap import shorten

from keng.model import Hits
from keng.rules import finds
from keng.source import Code, Grad


@finds
def backward_on_nothing(code: Code) -> Hits:
    for call, loss, end in code.unlearned_losses():
        line, text = code.position(end)[0], shorten(code.text_of(end), 60, placeholder=" ...")
        off = code.grad_at(end) is Grad.OFF
        ended = f"`{text}` on line {line} ends its graph"
        why = f"`{text}` is computed on line {line}, where gradients are off" if off else ended
        says = f"`{loss.id}` hangs on nothing that learns: {why}"
        yield code.hit(call, says)
