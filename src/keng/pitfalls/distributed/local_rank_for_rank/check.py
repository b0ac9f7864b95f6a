"""Source code: `LOCAL_RANK` is used as the rank, so one process per machine acts as rank 0."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.model import Hits, say
from keng.pitfalls.distributed._shared import RANK, rank_branch, shared_path
from keng.rules import finds
from keng.source import Code

OF_MACHINE = re.compile(r"cache|tmp|temp|/dev/shm|scratch|local_(?!rank)", re.IGNORECASE)


@finds(mentions=["torch.save"])
def asks_for_the_local_rank(code: Code) -> Hits:
    for save in _saves_by_local_rank(code) if code.processes.is_distributed else ():
        if shared_path(code, save) and not _on_machine(code, save):
            yield code.hit(save, say("first-process-every-machine"))


def _on_machine(code: Code, save: ast.Call) -> bool:
    """Whether the path says that each machine has such a file of its own: a cache, a temporary file."""
    path = code.calls.argument(save, "f", 1)
    texts = [path, *(code.flow.values_given(path) if isinstance(path, ast.Name) else ())]
    return any(OF_MACHINE.search(ast.unparse(text)) for text in texts if text is not None)


def _saves_by_local_rank(code: Code) -> Iterator[ast.Call]:
    """The calls of torch.save that the first process of each machine makes."""
    for call, _ in code.states.saves():
        for above in code.tree.ancestors(call):
            if not isinstance(above, ast.If) or rank_branch(code, above.test) != "zero":
                continue
            text = ast.unparse(above.test).lower()
            local = "local_rank" in text and not _global_in_truth(code, above.test)
            if local and code.flow.field_of(call, above) == "body":
                yield call


def _global_in_truth(code: Code, test: ast.expr) -> bool:
    """Whether what is called local_rank was given the rank among all."""
    names = [n for n in ast.walk(test) if isinstance(n, ast.Name)]
    values = [
        b.value
        for name in names
        for b in code.flow.reaching_definitions(name)
        if b.value is not None
    ]
    asked = ("torch.distributed.get_rank",)
    calls = [v for v in values if isinstance(v, ast.Call)]
    speaks_of_rank = [t for t in map(ast.unparse, names) if "local" not in t and RANK.fullmatch(t)]
    return bool(speaks_of_rank) or any(code.names.resolve(call.func) in asked for call in calls)
