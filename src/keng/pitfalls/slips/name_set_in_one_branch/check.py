"""Source code: a function sets a name under a condition, and reads it without one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice, takewhile
from textwrap import shorten

from keng.model import Hits, Severity, say
from keng.rules import finds
from keng.source import Code
from keng.source.tree import FUNCTIONS, LOOPS, Function, bound_in, names_in

SOMETIMES = (ast.If, ast.IfExp, ast.BoolOp, ast.Try, ast.Lambda, ast.comprehension, ast.Match)
LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break, ast.Assert)
REFLECTS = frozenset({"locals", "globals", "exec", "eval", "vars"})


@finds
def read_without_the_condition(code: Code) -> Hits:
    if b"torch" not in code.tree.data:
        return
    for block in code.of(ast.If):
        function = code.tree.enclosing_function(block)
        if function is None or block.orelse or any(code.below(block, *LEAVES, *FUNCTIONS)):
            continue
        for stored, read in islice(_read_anyway(code, function, block), 1):
            test = shorten(code.text_of(block.test), 60, placeholder=" ...")
            line = code.tree.line_of(read)
            says = say("unset", name=stored.id, test=test, line=line)
            level: Severity | None = "hint" if _asks_for_support(block.test) else None
            yield code.hit(stored, says, sure=not _chooses(block.test), level=level)


def _asks_for_support(test: ast.expr) -> bool:
    """Whether a test is for a method that all that are in use may have."""
    return isinstance(test, ast.Call) and getattr(test.func, "id", "") in ("hasattr", "callable")


def _chooses(test: ast.expr) -> bool:
    """Whether a test is for one of several names or numbers, which may be all that occur."""
    inside = [n for n in ast.walk(test) if isinstance(n, ast.Compare)]
    return any(isinstance(op, (ast.Eq, ast.NotEq, ast.In)) for n in inside for op in n.ops)


def _read_anyway(
    code: Code, function: Function, block: ast.If
) -> Iterator[tuple[ast.Name, ast.Name]]:
    """The names that only an `if` sets and a statement behind it reads in any case."""
    home = code.tree.parent[block]
    once = [stored for stored in _set_in(block) if _is_set_once(code, function, stored)]
    before, behind = code.flow.siblings(block, home) if once else ([], [])
    straight = list(takewhile(lambda s: not any(code.below(s, *LEAVES)), behind[:-1]))
    last = behind[len(straight) : len(straight) + 1]
    for stored in once:
        read = _first_read(code, [*straight, *last], stored.id)
        if read is None or not _is_reached(code, read, home):
            continue
        if not _repeats(code, block) and not _is_settled(block.test, before):
            yield stored, read


def _first_read(code: Code, statements: list[ast.stmt], name: str) -> ast.Name | None:
    for statement in statements:
        for each in code.below(statement, ast.Name):
            if each.id == name and isinstance(each.ctx, ast.Load):
                return each
    return None


def _set_in(block: ast.If) -> Iterator[ast.Name]:
    """The names that the body of an `if` assigns directly."""
    for each in block.body:
        if isinstance(each, ast.Assign) and len(each.targets) == 1:
            target = each.targets[0]
            parts = target.elts if isinstance(target, ast.Tuple) else [target]
            yield from (part for part in parts if isinstance(part, ast.Name))


def _is_set_once(code: Code, function: Function, stored: ast.Name) -> bool:
    """Whether no other place gives a name a value that the function would see."""
    scope = code.names.lookup(stored)
    found = scope.bindings.get(stored.id, []) if scope is not None else []
    if scope is None or scope.node is not function or len(found) != 1:
        return False
    asked = (n for name in REFLECTS for n in code.tree.names_by_id.get(name, ()))
    return not any(code.within(each, function) for each in asked)


def _repeats(code: Code, block: ast.If) -> bool:
    """Whether the `if` is in a loop whose rounds decide its test: the first round may set the name."""
    loops = [a for a in code.tree.ancestors(block) if isinstance(a, LOOPS)]
    asked = {ast.unparse(n) for n in ast.walk(block.test) if isinstance(n, ast.Attribute)}
    return any(names_in(block.test) & bound_in(loop) for loop in loops) or bool(loops and asked)


def _is_settled(test: ast.expr, before: list[ast.stmt]) -> bool:
    """Whether an earlier statement leaves, raises or asserts by something that the test asks too."""
    asked = {ast.unparse(n) for n in ast.walk(test) if isinstance(n, (ast.Name, ast.Attribute))}
    for each in before:
        ends = any(isinstance(n, LEAVES) for n in ast.walk(each))
        said = {ast.unparse(n) for n in ast.walk(each) if isinstance(n, (ast.Name, ast.Attribute))}
        if ends and asked & said:
            return True
    return False


def _is_reached(code: Code, read: ast.Name, home: ast.AST) -> bool:
    """Whether a read is evaluated whenever the block that holds its statement is."""
    for above in code.tree.ancestors(read):
        if above is home:
            return True
        if isinstance(above, (*SOMETIMES, *LOOPS, *FUNCTIONS, ast.ClassDef)):
            return False
    return False
