"""Source code: a collective is called on some ranks only."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Edit, Fix, Hits, say
from keng.pitfalls.distributed._shared import OTHER, branch_of, last, rank_branch
from keng.rules import finds
from keng.source import Code
from keng.source.modes import expects_an_error

COLLECTIVES = tuple(
    f"torch.distributed.{name}"
    for name in (
        "all_reduce broadcast reduce all_gather gather scatter reduce_scatter all_to_all barrier "
        "monitored_barrier all_gather_object gather_object broadcast_object_list scatter_object_list "
        "all_gather_into_tensor all_gather_single reduce_scatter_tensor reduce_scatter_single"
    ).split()
)
ROOTED = {"gather", "scatter", "gather_object", "scatter_object_list"}
"""Collectives that take other arguments on one rank than on the others."""
GROUP_AT = {
    **dict.fromkeys(("barrier", "monitored_barrier"), 0),
    **dict.fromkeys(("all_reduce", "broadcast", "all_gather", "all_gather_object"), 2),
    **dict.fromkeys(("all_gather_into_tensor", "broadcast_object_list"), 2),
    **dict.fromkeys(("reduce", "gather", "scatter", "reduce_scatter", "gather_object"), 3),
}
"""The position at which a collective takes its group."""


@finds(fixes=True)
def reached_by_some(code: Code) -> Hits:
    for call, name, arm in _one_sided(code):
        says = say("called-on-other-ranks", name=name)
        if arm == "zero":
            says = say("called-on-rank-0", name=name)
        yield code.hit(call, says, fix=_for_all_ranks(code, call))


def _moved_before(code: Code, statement: ast.stmt, other: ast.stmt) -> tuple[Edit, ...] | None:
    """The edits that take the one line of a statement, its comment with it, and put it before
    another statement, at the depth of that one; None where either shares its lines."""
    alone = code.edits.starts_line(statement) and not code.edits.followed(statement)
    if not alone or statement.lineno != statement.end_lineno or not code.edits.starts_line(other):
        return None
    start, stop = (code.source.offset(statement.lineno + n, 0) for n in (0, 1))
    line = code.source.line(statement.lineno).strip()
    before = code.edits.new_line_before(other, line)
    return (before, Edit(start, stop, "")) if before else None


def _collectives(code: Code) -> Iterator[ast.Call]:
    """The collective calls of the group of all processes."""
    for call in code.calls.calls_to(*COLLECTIVES):
        position = GROUP_AT.get(last(call.func))
        named = any(k.arg in ("group", "process_group", "pg") for k in call.keywords)
        if not named and (position is None or len(call.args) <= position):
            yield call
    if code.names.imports("accelerate."):
        yield from code.calls.method_calls("wait_for_everyone", "gather_for_metrics")
        yield from (
            c for c in code.calls.method_calls("gather", "reduce") if code.processes.accelerates(c)
        )


def _one_sided(code: Code) -> Iterator[tuple[ast.Call, str, str]]:
    """Collective calls, or calls of functions of the project that make them, which only rank 0 or
    only the others reach, while nothing of the same name is on the other side: the call, its
    name and the side."""
    made = [(call, last(call.func)) for call in (*_collectives(code), *_through_functions(code))]
    arms = [(call, name, branch_of(code, call)) for call, name in made]
    for call, name, arm in arms:
        home = code.tree.enclosing_body(call)
        there = [n for c, n, a in arms if a == OTHER[arm] and code.tree.enclosing_body(c) is home]
        tried = code.around(call, ast.With)
        # One rank has failed, and makes the call that the others make on their usual way.
        if code.tree.enclosing(call, ast.ExceptHandler) is not None:
            continue
        if arm and name not in there and not (tried and expects_an_error(tried)):
            yield call, name, arm


def _for_all_ranks(code: Code, call: ast.Call) -> Fix | None:
    """A fix that lets every rank make a collective call which stands first under a test on the
    rank; None where what it takes is made there, or is another on the ranks that are let in."""
    statement = code.statement(call)
    branch = code.tree.parent[statement]
    if not isinstance(branch, ast.If) or statement is not branch.body[0]:
        return None
    lets_in_by_rank = isinstance(branch.test, (ast.Compare, ast.Call, ast.Name, ast.Attribute))
    moves = len(branch.body) > 1 and not code.text_of(branch).startswith("elif")
    known = code.names.resolve(call.func) in COLLECTIVES and last(call.func) not in ROOTED
    edits = _moved_before(code, statement, branch) if moves and known else None
    if edits is None or not lets_in_by_rank or not rank_branch(code, branch.test):
        return None
    return Fix(say("let-every-rank-call", name=last(call.func)), edits)


def _through_functions(code: Code) -> Iterator[ast.Call]:
    speaks = code.trees.files.contains(b"torch.distributed", code.path)
    tests = speaks and any(rank_branch(code, branch.test) for branch in code.of(ast.If))
    for call in code.of(ast.Call) if tests else ():
        found = code.types.definition(call.func)
        if found is None or isinstance(found.node, ast.ClassDef) or not branch_of(code, call):
            continue
        tree, inner = found.tree, found.node
        if any(
            tree.within(c, inner) and not branch_of(code.at(tree), c)
            for c in _collectives(code.at(tree))
        ):
            yield call
