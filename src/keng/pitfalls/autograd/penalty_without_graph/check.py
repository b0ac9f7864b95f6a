"""Source code: a penalty on gradients is computed without their graph."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.pitfalls.autograd.penalty_without_graph._shared import only_a_number
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def added_without_graph(code: Code) -> Hits:
    for call, term, loss in code.slopes_without_graph():
        title = "Make their graph as well"
        asked = code.argument(call, "create_graph", position=4)
        fix = code.add_argument(call, "create_graph=True", title)
        if asked is not None:
            fix = Fix(title, (code.replace(asked, "True"),), "unsafe")
        yield code.hit(call, only_a_number(term, loss), fix=fix)
