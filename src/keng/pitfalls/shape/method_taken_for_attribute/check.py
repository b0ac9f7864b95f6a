"""Source code: a method is named and not called, or an attribute is called."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def not_done(code: Code) -> Hits:
    for method in code.methods_not_called():
        says = f"`{code.text_of(method)}` is named and not called"
        yield code.hit(method, says, Fix("Call it", (code.append(method, "()"),)))
