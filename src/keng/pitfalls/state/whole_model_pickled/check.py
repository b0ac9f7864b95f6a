"""Source code: the whole model is pickled, not its weights."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits, say
from keng.pitfalls.state._shared import file_made_by
from keng.rules import finds
from keng.source import Code, Kind


@finds(mentions=["torch.save"])
def model_saved(code: Code) -> Hits:
    for save, entries in code.states.saves():
        for entry in entries if not file_made_by(code, save, 1, "tempfile.") else ():
            if code.types.kind_of(entry) is not Kind.MODULE or _pickles_itself(code, entry):
                continue
            name = code.text_of(entry)
            says = say("pickled-names-classes-state", name=name)
            edit = code.edits.append(entry, ".state_dict()")
            yield code.hit(entry, says, fix=Fix(say("save-state-dict"), (edit,), "shown"))


def _pickles_itself(code: Code, node: ast.expr) -> bool:
    """Whether the class of an object says how it is pickled."""
    made = code.types.value_of(node).definition
    return made is not None and code.classes.of(made.tree).method(made, "__reduce__") is not None
