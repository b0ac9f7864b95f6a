"""Source code: the whole model is pickled, not its weights."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code, Kind


@finds
def model_saved(code: Code) -> Hits:
    for save, entries in code.saves():
        for entry in entries if not code.file_made_by(save, 1, "tempfile.") else ():
            if code.kind_of(entry) is not Kind.MODULE or code.pickles_itself(entry):
                continue
            name = code.text_of(entry)
            says = f"`{name}` is pickled with the names of its classes; its state dict is enough"
            edit = code.append(entry, ".state_dict()")
            yield code.hit(entry, says, fix=Fix("Save the state dict", (edit,), "shown"))
