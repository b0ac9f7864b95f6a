"""Source code: after a loop over batches, the value of the last batch is used where the sum was meant."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.pitfalls.slips._shared import LOSS
from keng.rules import finds
from keng.source import Act, Code
from keng.source.loops import Loop
from keng.source.tree import FUNCTIONS, LOOPS, bound_in, names_in

DETACHES = frozenset({"item", "detach", "float", "mean", "cpu"})
JUDGES = frozenset({"best", "min", "lowest", "prev", "previous", "patience", "bst", "minimum"})


@finds
def last_batch_judged(code: Code) -> Hits:
    if b"backward(" not in code.tree.data:
        return
    for loop in code.loops.all:
        if isinstance(loop.node, ast.For):
            for read, name, total in _judged_by_last(code, loop):
                yield code.hit(read, say("judged", name=name, total=total))
            for kept, name in _last_micro_batch(code, loop):
                yield code.hit(kept, say("reported", name=name))


@finds
def last_of_the_round_kept(code: Code) -> Hits:
    for closure, name in _closures_of_rounds(code):
        yield code.hit(closure, say("closure", name=name))
    for returned, name, kept in _last_returned(code):
        yield code.hit(returned, say("returned", name=name, kept=kept))


def _closures_of_rounds(code: Code) -> Iterator[tuple[ast.Lambda, str]]:
    """`[lambda: make(i) for i in range(n)]`: when they are called, `i` is that of the last round."""
    for closure in code.of(ast.Lambda):
        comprehension = code.tree.parent[closure]
        if not isinstance(comprehension, ast.ListComp) or closure is not comprehension.elt:
            continue
        rounds = {n for g in comprehension.generators for n in bound_in(g.target)}
        given = {a.arg for a in ast.walk(closure.args) if isinstance(a, ast.arg)}
        own = {
            n
            for g in ast.walk(closure.body)
            if isinstance(g, ast.comprehension)
            for n in bound_in(g)
        }
        late = sorted((names_in(closure.body) & rounds) - given - own)
        if late:
            yield closure, late[0]


def _last_returned(code: Code) -> Iterator[tuple[ast.Return, str, str]]:
    """A function that puts a value of each round into a list, uses the list, and elsewhere returns the last one."""
    for returned in code.of(ast.Return):
        match returned.value:
            case ast.Name(id=name) as read:
                pass
            case _:
                continue
        function = code.tree.enclosing_function(returned)
        found = code.flow.reaching_definitions(read)
        loops = {code.around(b.node, *LOOPS, *FUNCTIONS) for b in found if b.how == "assign"}
        match [*loops]:
            case [ast.For() as loop] if function is not None and not code.within(returned, loop):
                pass
            case _:
                continue
        for kept in _lists_of(code, loop, name):
            alone = not _is_carried(code, loop, name) and kept.startswith(name)
            if alone and _is_read_after(code, function, loop, kept):
                yield returned, name, kept


def _lists_of(code: Code, loop: ast.For, name: str) -> Iterator[str]:
    """The lists to which each round of a loop appends a name."""
    for call in code.below(loop, ast.Call):
        match call:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=kept), attr="append"),
                args=[ast.Name(id=added)],
            ) if added == name:
                yield kept


def _is_carried(code: Code, loop: ast.For, name: str) -> bool:
    """Whether a round may start from something that the last one set."""
    set_here = bound_in(loop)
    own = bound_in(loop.target)
    for assigned in code.below(loop, ast.Assign):
        if name in bound_in(assigned) and names_in(assigned.value) & (set_here - own):
            return True
    return False


def _is_read_after(code: Code, function: ast.AST, loop: ast.For, name: str) -> bool:
    end = code.tree.bounds(loop)[1]
    reads = [
        n for n in code.below(function, ast.Name) if n.id == name and isinstance(n.ctx, ast.Load)
    ]
    return any(code.tree.bounds(n)[0] > end for n in reads)


def _judged_by_last(code: Code, loop: Loop) -> Iterator[tuple[ast.AST, str, str]]:
    """Comparisons with the best value behind a loop, of a loss that the loop adds up."""
    totals = dict(_totals(code, loop.node))
    if not totals:
        return
    _, behind = code.flow.siblings(loop.node, code.tree.parent[loop.node])
    for statement in behind:
        for compared in code.below(statement, ast.Compare):
            sides = [compared.left, *compared.comparators]
            judged = any(
                JUDGES & set(ast.unparse(side).lower().replace(".", "_").split("_"))
                for side in sides
            )
            for side in sides:
                name = side.id if isinstance(side, ast.Name) else ""
                if judged and name in totals and _is_of_loop(code, side, loop.node):
                    yield side, name, totals[name]


def _totals(code: Code, loop: ast.AST) -> Iterator[tuple[str, str]]:
    """The losses that a loop adds up: the name of a batch's, and the total or list."""
    for node in code.below(loop, ast.AugAssign, ast.Call):
        match node:
            case ast.AugAssign(
                target=ast.Name(id=total) | ast.Attribute(attr=total), op=ast.Add(), value=value
            ):
                pass
            case ast.Call(
                func=ast.Attribute(attr="append", value=ast.Name(id=total)), args=[value]
            ):
                pass
            case _:
                continue
        for name in names_in(value):
            if LOSS.search(name) and name != total:
                yield name, total


def _is_of_loop(code: Code, read: ast.AST, loop: ast.AST) -> bool:
    found = code.flow.reaching_definitions(read) if isinstance(read, ast.Name) else []
    return bool(found) and all(code.within(b.node, loop) for b in found)


def _last_micro_batch(code: Code, loop: Loop) -> Iterator[tuple[ast.AST, str]]:
    """What a loop over micro-batches, which goes backward and does not step, keeps of its last loss only."""
    for assigned in code.below(loop.node, ast.Assign):
        match assigned:
            case ast.Assign(
                targets=[ast.Name() as kept],
                value=ast.Call(func=ast.Attribute(value=ast.Name(id=loss), attr=method), args=[]),
            ):
                taken = method in DETACHES and LOSS.search(loss)
                if taken and _read_behind_only(code, kept, loop.node) and _gathers(loop):
                    yield assigned, kept.id


def _gathers(loop: Loop) -> bool:
    """Whether the rounds of a loop gather gradients for one step behind it."""
    return bool(loop.own(Act.BACKWARD)) and not loop.has(Act.STEP)


def _read_behind_only(code: Code, kept: ast.Name, loop: ast.AST) -> bool:
    if code.around(kept, ast.If, *LOOPS) is not loop:
        return False
    reads = [n for n in code.tree.names_by_id[kept.id] if isinstance(n.ctx, ast.Load)]
    inside = [n for n in reads if code.within(n, loop)]
    behind = [
        n for n in reads if code.tree.position(n) > code.tree.position(loop) and n not in inside
    ]
    return bool(behind) and not inside
