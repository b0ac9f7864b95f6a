"""Source code: both parts of a split read one data set, and a change to one changes the other."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code

SPLITS = "torch.utils.data.random_split"
SUBSET = "torch.utils.data.Subset"


@finds(mentions=["dataset"])
def set_for_both(code: Code) -> Hits:
    for target, part, other in _shared_by_splits(code):
        says = say("read-one-data-set", name=part, other=other, attr=target.attr)
        yield code.hit(target, says)


def _shared_by_splits(code: Code) -> Iterator[tuple[ast.Attribute, str, str]]:
    """`part.dataset.transform = ...`, where another part of the split reads the same data set: the
    target, the part and the other one."""
    for held in code.tree.attributes_by_name.get("dataset", ()):
        part, target = held.value, code.tree.parent[held]
        if not isinstance(part, ast.Name) or not isinstance(target, ast.Attribute):
            continue
        others = _other_parts(code, part) if isinstance(target.ctx, ast.Store) else []
        if others and not _given_its_own(code, part.id):
            yield target, part.id, others[0]


def _other_parts(code: Code, part: ast.Name) -> list[str]:
    found = code.flow.reaching_definitions(part)
    call = found[0].value if len(found) == 1 else None
    if not isinstance(call, ast.Call) or found[0].how != "assign":
        return []
    if code.names.resolve(call.func) == SPLITS:
        names = code.tree.parent[found[0].node]
        parts = names.elts if isinstance(names, ast.Tuple) else []
        return [n.id for n in parts if isinstance(n, ast.Name) and n.id not in (part.id, "_")]
    if code.names.resolve(call.func) != SUBSET or not call.args:
        return []
    whole = ast.unparse(call.args[0])
    return [
        each.targets[0].id
        for each in code.of(ast.Assign)
        if isinstance(each.value, ast.Call)
        and each.value is not call
        and code.names.resolve(each.value.func) == SUBSET
        and isinstance(each.targets[0], ast.Name)
        and ast.unparse(each.value.args[0]) == whole
        and code.tree.enclosing_body(each) is code.tree.enclosing_body(part)
    ]


def _given_its_own(code: Code, part: str) -> bool:
    """Whether a part of a split is given a data set of its own."""
    stored = [n for n in code.tree.attributes_by_name["dataset"] if isinstance(n.ctx, ast.Store)]
    return any(ast.unparse(each.value) == part for each in stored)
