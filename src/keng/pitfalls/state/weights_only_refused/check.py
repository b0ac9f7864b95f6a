"""Source code: `torch.load` rejects a file that contains more than plain data."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code


@finds(fixes=True, mentions=["torch.save"])
def arguments_saved_as_they_are(code: Code) -> Hits:
    plain = [load for load in code.calls.calls_to("torch.load") if not _reads_all(code, load)]
    for _, entries in code.states.saves():
        for entry in entries if plain else ():
            if not code.states.parsed_arguments(entry):
                continue
            name = code.text_of(entry)
            fix = Fix(
                say("save-vars-name", name=name), (code.edits.replace(entry, f"vars({name})"),)
            )
            yield code.hit(entry, say("namespace-torch-load-refuses", name=name), fix)


def _reads_all(code: Code, load: ast.Call) -> bool:
    """Whether a torch.load takes every class, or may do so."""
    flag = code.calls.argument(load, "weights_only")
    return flag is not None and not code.flow.is_constant(flag, True)
