"""Source code: a tensor is copied by `torch.tensor`."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def copied(code: Code) -> Hits:
    for call in code.tensors_of_tensors():
        given = call.args[0]
        plain = len(call.args) == 1 and not call.keywords
        edit = code.replace(call, f"{code.operand(given)}.detach().clone()")
        fix = Fix("Copy it as a tensor", (edit,), "safe") if plain else None
        says = f"`{code.text_of(given)}` is a tensor already: its copy here has no graph"
        # Who makes a tensor of an argument is often given a list, whatever is written there.
        yield code.hit(call, says, fix=fix, sure=not code.only_declared(given))
