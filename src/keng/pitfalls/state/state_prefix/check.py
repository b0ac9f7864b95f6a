"""Source code: the keys of a state dict carry the name of a wrapper."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def wrapped_state_saved(code: Code) -> Hits:
    for call in code.method_calls("state_dict"):
        model = code.receiver(call)
        inside, by = code.wrapped_by(model), code.prepared_by(model)
        if not (inside or by) or not code.saved(call) or code.loads_wrapped():
            continue
        name, edit = code.text_of(model), code.append(model, f".{inside}")
        says = f"every key of `{name}`'s state dict begins with `{inside or 'module'}.`"
        if by is not None:
            edit = code.replace(model, f"{code.text_of(by)}.unwrap_model({name})")
            says = f"where several processes run, {says}"
        yield code.hit(call, says, fix=Fix(f"Save the model inside `{name}`", (edit,)))


@finds(fixes=True)
def letters_stripped(code: Code) -> Hits:
    for call in code.method_calls("lstrip"):
        prefix = code.text_constant(call.args[0]) if call.args else ""
        if prefix.endswith(".") and len(set(prefix)) > 2 and prefix[:-1].isidentifier():
            fix = Fix("Take off the prefix", (code.rename_attribute(call.func, "removeprefix"),))
            yield code.hit(call, f"takes off any of the letters of `{prefix}`, not the prefix", fix)
