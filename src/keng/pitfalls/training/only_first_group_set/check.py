"""Source code: a learning rate is set in the first group of an optimizer, and the others keep theirs."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def others_keep_theirs(code: Code) -> Hits:
    for statement, optimizer, target in code.first_group_alone():
        name = code.text_of(optimizer)
        says = f"`{name}` has several groups, and the rate of the first alone is set"
        fix = None
        if target is not None:
            indent = code.indentation(statement)
            deeper = indent + ("\t" if "\t" in indent else "    ")
            rest = code.text_of(statement).removeprefix(code.text_of(target))
            text = f'for group in {name}.param_groups:{code.newline}{deeper}group["lr"]{rest}'
            fix = Fix("Set it in each group", (code.replace(statement, text),))
        yield code.hit(statement, says, fix)
