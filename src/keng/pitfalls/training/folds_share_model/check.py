"""Source code: all folds of a cross-validation train one model."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Act, Code, Kind

FOLDS = re.compile(
    r"sklearn\.model_selection\.(?:\w+\.)?\w*(?:KFold|ShuffleSplit|LeaveOneOut|GroupOut)$"
)
BEGINS_ANEW = re.compile(
    r"reset|init|load_state|restore|clone|copy|fresh|build|make|create|new_", re.IGNORECASE
)


@finds
def trained_from_fold_to_fold(code: Code) -> Hits:
    for name, loop in _folds_of_one_model(code):
        says = say("made-before-folds-line", line=name.id, lineno=loop.lineno)
        yield code.hit(name, says)


def _folds_of_one_model(code: Code) -> Iterator[tuple[ast.Name, ast.For]]:
    """Models that are made before a loop over folds and trained in it, from fold to fold: the first place
    where the loop trains one, and the loop."""
    for loop in code.loops.all if code.trees.files.contains(b"sklearn", code.path) else ():
        folds = loop.iterable
        while isinstance(folds, ast.Call) and code.calls.attribute_name(folds.func) != "split":
            folds = folds.args[0] if folds.args else None
        if not isinstance(loop.node, ast.For) or not _are_folds(code, folds) or not loop.trains:
            continue
        calls = [code.text_of(call.func) for call in code.below(loop.node, ast.Call)]
        if code.below(loop.node, ast.Break) or any(map(BEGINS_ANEW.search, calls)):
            continue
        vias = [step.reached_by for step in loop.all(Act.FORWARD)]
        names = [n for via in vias for n in ast.walk(via) if isinstance(n, ast.Name)]
        kept = [n for n in names if _is_trained_outside(code, n, loop.node)]
        yield from ((name, loop.node) for name in kept[:1])


def _are_folds(code: Code, split: ast.expr | None) -> bool:
    owner = (
        split.func.value
        if isinstance(split, ast.Call) and isinstance(split.func, ast.Attribute)
        else None
    )
    made = code.flow.assigned_value(owner) or owner
    return isinstance(made, ast.Call) and FOLDS.match(code.names.resolve(made.func)) is not None


def _is_trained_outside(code: Code, name: ast.Name, loop: ast.For) -> bool:
    """Whether a name is that of a model made before a loop, whose parameters an optimizer is given."""
    found = code.flow.reaching_definitions(name)
    here = any(code.within(b.node, loop) for b in code.names.bindings(name))
    if here or code.types.kind_of(name) is not Kind.MODULE or any(b.how != "assign" for b in found):
        return False
    taken = [
        c
        for c in code.calls.method_calls("parameters")
        if code.text_of(code.tree.receiver(c)) == name.id
    ]
    return any(
        isinstance(above := code.tree.parent[call], ast.Call)
        and code.types.kind_of(above) is Kind.OPTIMIZER
        for call in taken
    )
