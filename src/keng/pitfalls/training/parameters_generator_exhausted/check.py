"""Source code: a generator of parameters is gone through a second time, and is empty."""

from __future__ import annotations

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def nothing_left(code: Code) -> Hits:
    for name, made, before, sure in code.generators.exhausted():
        when = f"on line {code.tree.line_of(before)}" if before else "in the round before"
        says = f"`{name.id}` is a generator that was gone through {when}: nothing is left of it"
        fix = Fix(say("keep-them-list"), (code.generators.as_list(made),))
        yield code.hit(name, says, fix, sure)
