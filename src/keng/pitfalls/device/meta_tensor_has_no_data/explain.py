"""Error messages: a tensor on the meta device is used as if it held numbers."""

from __future__ import annotations

import ast

from keng.explain.failure import Failure
from keng.model import Fix, Hits, say
from keng.rules import explains
from keng.source import Code


@explains("nothing-to-copy")
def nothing_to_copy(failure: Failure) -> Hits:
    says = say("parameter-on-meta")
    if (
        failure.contains("from_pretrained")
        or failure.contains("device_map")
        or failure.contains("accelerate")
    ):
        says = say("pretrained-parameter-on-meta")
    yield failure.hit(
        says,
        failure.ask_line(_emptied) if "Module.to_empty() instead" in failure.message else None,
    )


def _emptied(code: Code, line: int) -> Fix | None:
    """A fix that lays a module of the meta device somewhere without copying."""
    moves = [c for c in code.tree.on_line(line, ast.Call) if getattr(c.func, "attr", "") == "to"]
    if len(moves) != 1 or len(moves[0].args) != 1 or moves[0].keywords:
        return None
    edits = (
        code.edits.rename_attribute(moves[0].func, "to_empty"),
        code.edits.insert(moves[0].args[0], "device="),
    )
    return Fix(say("give-memory-then-load"), edits, "shown")
