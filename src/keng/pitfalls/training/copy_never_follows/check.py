"""Source code: a copy that is to follow the weights stays what it was."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def written_nowhere(code: Code) -> Hits:
    for assigned, name in code.parameters_rebound():
        says = f"this gives the name `{name}` to a new tensor: the parameter stays what it was"
        yield code.hit(assigned, says)
    for call in code.loaded_from_themselves():
        model = code.text_of(code.receiver(call))
        yield code.hit(call, f"`{model}` is loaded from itself, and stays what it was")
