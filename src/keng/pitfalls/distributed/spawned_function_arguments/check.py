"""Source code: a function given to spawn does not take the rank."""

from __future__ import annotations

import ast

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code


@finds(mentions=["spawn", "start_processes"])
def another_number_of_arguments(code: Code) -> Hits:
    for call in code.calls.calls_to(
        "torch.multiprocessing.spawn", "torch.multiprocessing.start_processes"
    ):
        named, given = code.calls.argument(call, "fn", 0), code.calls.argument(call, "args", 1)
        function = code.types.definition(named) if isinstance(named, ast.Name) else None
        if function is None or not isinstance(function.node, ast.FunctionDef):
            continue
        if not isinstance(given, ast.Tuple) or function.node.args.vararg is not None:
            continue
        takes, comes = len(code.tree.parameters(function.node)), len(given.elts) + 1
        if not takes - len(function.node.args.defaults) <= comes <= takes:
            says = say("gets-rank-more-takes", takes=function.name, value=comes - 1, takes_2=takes)
            yield code.hit(call, says)
