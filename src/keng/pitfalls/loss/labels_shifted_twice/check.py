"""Source code: labels are moved on by one place for a model that moves them itself."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def labels_moved_already(code: Code) -> Hits:
    for call, inputs, labels, (first, behind) in code.labels_shifted_twice():
        model, fix = code.text_of(call.func), None
        if inputs is not None and labels is not None:
            edit = code.replace(labels, code.text_of(inputs))
            fix = Fix("Give the inputs as labels", (edit,))
        says = f"`{model}` compares with the next label itself; `{behind}` is moved on beside `{first}` already"
        yield code.hit(call, f"{says}: it learns the word after the next", fix)
