"""Source code: `model.parameters()` is iterated a second time, and is empty."""

from __future__ import annotations

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code


@finds(fixes=True, mentions=["parameters", "named_parameters"])
def nothing_left(code: Code) -> Hits:
    for name, made, before, sure in code.generators.exhausted():
        placed = say("used-up-on-line", name=name.id, line=code.tree.line_of(before))
        says = placed if before else say("used-up-in-last-iteration", name=name.id)
        fix = Fix(say("keep-them-list"), (code.generators.as_list(made),))
        yield code.hit(name, says, fix, sure)
