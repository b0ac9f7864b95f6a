"""Source code: `torch.load` refuses what is no plain data."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def arguments_saved_as_they_are(code: Code) -> Hits:
    plain = [load for load in code.calls_to("torch.load") if not code.reads_all(load)]
    for _, entries in code.saves():
        for entry in entries if plain else ():
            if not code.parsed_arguments(entry):
                continue
            name = code.text_of(entry)
            fix = Fix(f"Save `vars({name})`", (code.replace(entry, f"vars({name})"),))
            yield code.hit(
                entry, f"`{name}` is a Namespace, which torch.load refuses since 2.6", fix
            )
