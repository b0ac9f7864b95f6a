"""Source code: the whole model is pickled, not its weights."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits, say
from keng.pitfalls.state._shared import file_made_by
from keng.rules import finds
from keng.source import Code, Kind

USED_AS_MODEL = ("eval", "train", "parameters", "named_parameters", "state_dict", "cuda", "to")


@finds(mentions=["torch.save"])
def model_saved(code: Code) -> Hits:
    for save, entries in code.states.saves():
        for entry in entries if not file_made_by(code, save, 1, "tempfile.") else ():
            if code.types.kind_of(entry) is not Kind.MODULE or _pickles_itself(code, entry):
                continue
            name = code.text_of(entry)
            load = _read_back(code)
            says = say("pickled-names-classes-state", name=name)
            if load is not None:
                says = say("load-rejects-it", name=name, line=code.tree.line_of(load))
            edit = code.edits.append(entry, ".state_dict()")
            fix = Fix(say("save-state-dict"), (edit,), "shown")
            yield code.hit(entry, says, fix=fix, level=None if load else "hint")


def _read_back(code: Code) -> ast.Call | None:
    """Where the program loads a file and uses what is in it as a model, which `torch.load` rejects by
    default since 2.6."""
    if not code.torch_may_be("2.6"):
        return None
    for load in code.calls.calls_to("torch.load"):
        used = code.tree.parent[load]
        if code.calls.argument(load, "weights_only", 3) is not None:
            continue
        if isinstance(used, ast.Attribute) and used.attr in USED_AS_MODEL:
            return load
        if isinstance(used, ast.Assign):
            names = {code.text_of(target) for target in used.targets}
            calls = code.calls.method_calls(*USED_AS_MODEL)
            if any(code.text_of(code.tree.receiver(call)) in names for call in calls):
                return load
    return None


def _pickles_itself(code: Code, node: ast.expr) -> bool:
    """Whether the class of an object says how it is pickled."""
    made = code.types.value_of(node).definition
    return made is not None and code.classes.of(made.tree).method(made, "__reduce__") is not None
