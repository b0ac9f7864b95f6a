"""Source code: a graph is kept that no second backward uses."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def kept_for_nothing(code: Code) -> Hits:
    for loop in code.training_loops:
        call, keyword = code.only_backward_retaining(loop)
        if call is None or keyword is None or code.graph_from_elsewhere(loop):
            continue
        fix = Fix("Let backward free the graph", (code.without_argument(call, keyword),))
        yield code.hit(
            keyword, "no second backward goes through this graph: it is kept for nothing", fix
        )
