"""Source code: each iteration overwrites the loss, so only the last one is used."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Act, Code
from keng.source.graph import DETACHES
from keng.source.loops import BACKWARD
from keng.source.tree import FUNCTIONS, LOOPS, names_in

ENDS_EARLY = (ast.Break, ast.Return)
STEPS_ITSELF = BACKWARD | {"grad", "step"}
ZEROS = ("torch.zeros", "torch.tensor")


@finds(fixes=True)
def only_the_last_is_left(code: Code) -> Hits:
    for kept, name, loop, zero in _losses_overwritten(code):
        says = say("each-round-over-sets", name=code.text_of(loop.iter), name_2=name)
        added = Fix(say("add-them"), (code.edits.insert(kept.value, f"{name} + "),), "unsafe")
        yield code.hit(kept, says, added if zero else None)


def _losses_overwritten(code: Code) -> Iterator[tuple[ast.Assign, str, ast.For, bool]]:
    """Losses that each round of a loop sets again, and that are read behind it only: the assignment, the
    name, the loop, and whether the name was zero before it, to be added to."""
    lost = [
        name
        for call in code.calls.method_calls(*BACKWARD)
        for name in code.graph.backward_losses(call)
    ]
    names = {name.id for name in lost}
    for loop in code.of(ast.For):
        stored = [n for n in code.below(loop, ast.Assign) if _stores_loss(n, names)]
        if not stored or code.below(loop, *ENDS_EARLY) or _steps_itself(code, loop):
            continue
        for kept in stored:
            target = kept.targets[0]
            nearest = code.around(kept, ast.If, ast.Try, ast.Match, *LOOPS, *FUNCTIONS)
            if not isinstance(target, ast.Name) or nearest is not loop:
                continue
            zero = _zero_before(code, target, loop)
            if _left_over(code, target, loop, lost, zero) and _is_of_round(code, kept, loop):
                yield kept, target.id, loop, zero


def _steps_itself(code: Code, loop: ast.For) -> bool:
    return any(
        code.calls.attribute_name(c.func) in STEPS_ITSELF for c in code.below(loop, ast.Call)
    )


def _zero_before(code: Code, target: ast.Name, loop: ast.For) -> bool:
    """Whether a name was set to zero in front of the loop that sets it."""
    found = [b for b in code.names.bindings(target) if not code.within(b.node, loop)]
    values = [
        b.value
        for b in found
        if b.how == "assign" and code.tree.position(b.node) < code.tree.position(loop)
    ]
    return bool(values) and _is_zero(code, values[-1])


def _is_zero(code: Code, value: ast.expr | None) -> bool:
    match value:
        case ast.Constant(value=int() | float() as number):
            return number == 0 and number is not False
        case ast.Call(func=ast.Attribute(attr="new_zeros")):
            return True
        case ast.Call(args=given) if code.names.resolve(value.func) in ZEROS:
            whole = code.names.resolve(value.func) == ZEROS[0]
            return whole or (bool(given) and _is_zero(code, given[0]))
    return False


def _left_over(
    code: Code, target: ast.Name, loop: ast.For, lost: list[ast.Name], zero: bool
) -> bool:
    """Whether what the last round gave a name is gone backward on behind the loop, or is read there as
    the sum that it was to be; and whether no round took up its own."""
    reads = [n for n in code.tree.names_by_id[target.id] if isinstance(n.ctx, ast.Load)]
    reads = [n for n in reads if any(b.node is target for b in code.flow.reaching_definitions(n))]
    inside = [n for n in reads if code.within(n, loop)]
    behind = [
        n for n in reads if n not in inside and code.tree.position(n) > code.tree.position(loop)
    ]
    if any(name in lost for name in behind):
        return all(map(partial(_is_only_shown, code), inside))
    return zero and "loss" in target.id.lower() and bool(behind) and not inside


def _is_only_shown(code: Code, name: ast.Name) -> bool:
    above = code.tree.parent[name]
    return isinstance(above, ast.FormattedValue) or (
        isinstance(above, ast.Attribute) and above.attr in DETACHES
    )


def _is_of_round(code: Code, kept: ast.Assign, loop: ast.For) -> bool:
    """Whether a value is a loss of what the loop goes through, and owes nothing to the round before."""
    found, computed = set[str](), [kept.value]
    for value in computed:
        for name in [n for n in ast.walk(value) if isinstance(n, ast.Name)]:
            if code.flow.is_carried(name, loop):
                return False
            found.add(name.id)
            made = [b.value for b in code.flow.reaching_definitions(name) if b.how == "assign"]
            computed += [v for v in made if v and code.within(v, loop) and v not in computed]
    calls = [c for value in computed for c in ast.walk(value) if isinstance(c, ast.Call)]
    of_round = bool(found & names_in(loop.target))
    return of_round and any(code.loops.act_of(call) is Act.LOSS for call in calls)


def _stores_loss(assigned: ast.Assign, lost: set[str]) -> bool:
    """Whether a name is set that is gone backward on, or is called a loss."""
    name = getattr(assigned.targets[0], "id", "")
    return len(assigned.targets) == 1 and (name in lost or "loss" in name.lower())
