"""Source code: a clock is read before the GPU has finished."""

from __future__ import annotations

import ast

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def clock_read_too_soon(code: Code) -> Hits:
    for stretch in code.timed:
        calls = [c for s in stretch.statements for c in code.below(s, ast.Call)]
        names = [n for s in stretch.statements for n in code.below(s, ast.Name)]
        if not calls or not all(code.only_queues(call) for call in calls):
            continue
        used = next((n.id for n in names if code.on_cuda(n)), None)
        if used is not None:
            yield code.hit(
                stretch.difference,
                f"the work on `{used}` has only been queued on the GPU when the clock is read",
            )
