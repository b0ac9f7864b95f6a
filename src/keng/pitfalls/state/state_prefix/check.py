"""Source code: the keys of a state dict carry the name of a wrapper."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits, Severity, say
from keng.rules import finds
from keng.source import Code, Kind


@finds(fixes=True, mentions=["state_dict"])
def wrapped_state_saved(code: Code) -> Hits:
    for call in code.calls.method_calls("state_dict"):
        model = code.tree.receiver(call)
        inside, by = code.states.wrapped_by(model), code.processes.prepared_by(model)
        if not (inside or by) or not _saved(code, call) or _loads_wrapped(code):
            continue
        name, edit = code.text_of(model), code.edits.append(model, f".{inside}")
        prefix = inside or "module"
        says = say("every-key-prefixed", name=name, prefix=prefix)
        if by is not None:
            edit = code.edits.replace(model, f"{code.text_of(by)}.unwrap_model({name})")
            says = say("every-key-prefixed-on-several", name=name, prefix=prefix)
        fix = Fix(say("save-model-inside", name=name), (edit,))
        # without a load here, another program may wrap its model before it loads, as this one does
        level: Severity | None = "hint" if inside == "module" and not _loads(code) else None
        yield code.hit(call, says, fix=fix, level=level)


@finds(fixes=True, mentions=["lstrip"])
def letters_stripped(code: Code) -> Hits:
    for call in code.calls.method_calls("lstrip"):
        prefix = code.flow.text_constant(call.args[0]) if call.args else ""
        if prefix.endswith(".") and len(set(prefix)) > 2 and prefix[:-1].isidentifier():
            fix = Fix(
                say("take-off-prefix"), (code.edits.rename_attribute(call.func, "removeprefix"),)
            )
            yield code.hit(call, say("takes-off-any-letters", prefix=prefix), fix)


def _loads(code: Code) -> bool:
    return any(True for _ in code.calls.method_calls("load_state_dict"))


def _loads_wrapped(code: Code) -> bool:
    """Whether a state dict is loaded into a wrapped model in this file, whose own prefix it may
    have, or into one that is not known; or whether the file takes the prefix off itself."""
    if any(code.tree.is_text(constant, "module.") for constant in code.of(ast.Constant)):
        return True
    for call in code.calls.method_calls("load_state_dict"):
        receiver = code.tree.receiver(call)
        value = code.types.value_of(receiver)
        known = value.kind is not Kind.UNKNOWN and bool(value.dotted or value.definition)
        if code.states.wrapped_by(receiver) or not known:
            return True
    return False


def _saved(code: Code, node: ast.expr) -> bool:
    """Whether torch.save is given a value, by itself or in a dict."""
    return any(node is entry for _, entries in code.states.saves() for entry in entries)
