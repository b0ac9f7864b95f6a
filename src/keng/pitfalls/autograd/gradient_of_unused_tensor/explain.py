"""Error messages: a gradient is asked for of a tensor that the result does not depend on."""

from __future__ import annotations

import ast
import re

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Message, say
from keng.rules import explains
from keng.source import Code

NAMES_PARAMETERS = re.compile(
    r"parameters\(|\bfreez|\bfroz|requires_grad ?= ?False|requires_grad_\(False|\bMAML\b|learner|checkpoint",
    re.IGNORECASE,
)


@explains("of-what-records-nothing")
def of_what_records_nothing(failure: Failure) -> Hits:
    there = [o for o in failure.live.operands if not o.requires_grad]
    floats = len(there) == 1 and "float" in there[0].dtype
    fix = failure.ask_line(_recorded, there[0].name) if floats else None
    yield failure.hit(_asked_of_a_constant(failure), fix)


def _recorded(code: Code, line: int, name: str) -> Fix | None:
    """A fix by which a tensor that a line names records gradients from where it is made, before
    anything else on that line is."""
    here = [n for n in code.tree.on_line(line, ast.Name) if n.id == name]
    made = [b.node for b in code.flow.reaching_definitions(here[0])] if here else []
    assign = code.tree.parent[made[0]] if len(made) == 1 and made[0] in code.tree.parent else None
    if not isinstance(assign, ast.Assign) or assign.targets != made:
        return None
    others = [n for n in code.tree.on_line(line, ast.Name) if n.id != name]
    later = [b.node for n in others for b in code.flow.reaching_definitions(n) if b.how != "import"]
    if any(code.tree.position(node) <= code.tree.position(assign) for node in later):
        return None
    text = ".requires_grad_()"
    return Fix(say("record-from-here-on"), (code.edits.append(assign.value, text),), "shown")


def _asked_of_a_constant(failure: Failure) -> Message:
    """Of a tensor whose gradient is asked for, and that records none."""
    there = [o.name for o in failure.live.operands if not o.requires_grad]
    if len(there) == 1:
        return say("records-no-gradient", name=there[0])
    shown = (failure.line, failure.context, failure.message, failure.surrounding)
    if any(map(NAMES_PARAMETERS.search, shown)):
        return say("frozen-parameters")
    return say("input-records-none")
