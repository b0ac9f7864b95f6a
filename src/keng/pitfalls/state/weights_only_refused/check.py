"""Source code: `torch.load` refuses what is no plain data."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def arguments_saved_as_they_are(code: Code) -> Hits:
    plain = [load for load in code.calls.calls_to("torch.load") if not _reads_all(code, load)]
    for _, entries in code.states.saves():
        for entry in entries if plain else ():
            if not code.states.parsed_arguments(entry):
                continue
            name = code.text_of(entry)
            fix = Fix(f"Save `vars({name})`", (code.edits.replace(entry, f"vars({name})"),))
            yield code.hit(
                entry, f"`{name}` is a Namespace, which torch.load refuses since 2.6", fix
            )


def _reads_all(code: Code, load: ast.Call) -> bool:
    """Whether a torch.load takes every class, or may do so."""
    flag = code.calls.argument(load, "weights_only")
    return flag is not None and not code.flow.is_constant(flag, True)
