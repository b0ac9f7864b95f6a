"""Source code: a function sets a name under a condition, and reads it without one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice, takewhile
from textwrap import shorten

from keng.model import Hits, Severity, say
from keng.rules import finds
from keng.source import Code
from keng.source.code import once_per_file
from keng.source.tree import FUNCTIONS, LOOPS, Function, names_in

SOMETIMES = (ast.If, ast.IfExp, ast.BoolOp, ast.Try, ast.Lambda, ast.comprehension, ast.Match)
LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break, ast.Assert)
REFLECTS = frozenset({"locals", "globals", "exec", "eval", "vars"})


@finds
def made_from_itself(code: Code) -> Hits:
    """`if scaled: x = (x - mean) / std` where the function sets `x` only behind it."""
    if b"torch" not in code.tree.data:
        return
    for _, function, stores in _ifs_with_stores(code):
        for stored in stores:
            if not _reads_own_name(code, stored):
                continue
            scope = code.names.lookup(stored)
            found = scope.bindings[stored.id] if scope is not None else []
            alone = scope is not None and scope.node is function and found[0].node is stored
            own = found[0].value if alone and not _in_loop(code, stored) else None
            if (
                own is not None
                and stored.id in names_in(own)
                and not _binds_inside(code, own, stored.id)
            ):
                yield code.hit(stored, say("made-from-itself", name=stored.id))


def _reads_own_name(code: Code, stored: ast.Name) -> bool:
    """Whether the statement that sets a name mentions it again."""
    start, end = code.tree.bounds(code.statement(stored))
    return code.tree.data.count(stored.id.encode(), start, end) > 1


def _in_loop(code: Code, node: ast.AST) -> bool:
    return any(isinstance(a, LOOPS) for a in code.tree.ancestors(node))


def _binds_inside(code: Code, value: ast.expr, name: str) -> bool:
    """Whether a comprehension or lambda of the value has a variable of this name."""
    arguments = {n.arg for n in ast.walk(value) if isinstance(n, ast.arg)}
    return name in code.tree.bound_in(value) | arguments


@finds
def read_without_the_condition(code: Code) -> Hits:
    if b"torch" not in code.tree.data:
        return
    for block, function, stores in _ifs_with_stores(code):
        if block.orelse or any(code.below(block, *LEAVES, *FUNCTIONS)):
            continue
        once = [stored for stored in stores if _is_set_once(code, function, stored)]
        for stored, read in islice(_read_anyway(code, block, once), 1):
            test = shorten(code.text_of(block.test), 60, placeholder=" ...")
            line = code.tree.line_of(read)
            says = say("unset", name=stored.id, test=test, line=line)
            meant = _asks_for_support(block.test) or _asks_for_setting(code, block.test)
            level: Severity | None = "hint" if meant else None
            yield code.hit(stored, says, sure=not _chooses(block.test), level=level)
        for stored, read, missing in islice(_read_under_less(code, function, block, once), 1):
            test, line = code.text_of(block.test), code.tree.line_of(read)
            says = say("weaker-test", name=stored.id, test=test, line=line, missing=missing)
            yield code.hit(stored, says)


def _asks_for_support(test: ast.expr) -> bool:
    """Whether a test is for a method that all that are in use may have."""
    return isinstance(test, ast.Call) and getattr(test.func, "id", "") in ("hasattr", "callable")


def _asks_for_setting(code: Code, test: ast.expr) -> bool:
    """Whether a test is for settings alone, which every configuration in use may have on: attributes of an object,
    and names that hold one."""
    asked = [n for n in ast.walk(test) if isinstance(n, ast.Name)]
    return bool(asked) and all(_is_setting(code, name) for name in asked)


def _is_setting(code: Code, name: ast.Name) -> bool:
    if isinstance(code.tree.parent[name], ast.Attribute):
        return True
    given = [binding.value for binding in code.flow.reaching_definitions(name)]
    return any(isinstance(each, (ast.Attribute, ast.Subscript)) for each in given)


def _chooses(test: ast.expr) -> bool:
    """Whether a test is for one of several names or numbers, which may be all that occur."""
    inside = [n for n in ast.walk(test) if isinstance(n, ast.Compare)]
    return any(isinstance(op, (ast.Eq, ast.NotEq, ast.In)) for n in inside for op in n.ops)


@once_per_file
def _ifs_with_stores(code: Code) -> list[tuple[ast.If, Function, list[ast.Name]]]:
    """The `if` statements of functions whose bodies assign names directly, and those names."""
    found: list[tuple[ast.If, Function, list[ast.Name]]] = []
    for block in code.of(ast.If):
        stores = list(_set_in(block))
        function = code.tree.enclosing_function(block) if stores else None
        if function is not None:
            found.append((block, function, stores))
    return found


def _read_anyway(
    code: Code, block: ast.If, once: list[ast.Name]
) -> Iterator[tuple[ast.Name, ast.Name]]:
    """The names that only an `if` sets and a statement behind it reads in any case."""
    home = code.tree.parent[block]
    before, behind = code.flow.siblings(block, home) if once else ([], [])
    straight = list(takewhile(lambda s: not any(code.below(s, *LEAVES)), behind[:-1]))
    last = behind[len(straight) : len(straight) + 1]
    for stored in once:
        read = _first_read(code, [*straight, *last], stored.id, home)
        if read is None or _leaves_without(code, read, block):
            continue
        if not _repeats(code, block) and not _is_settled(block.test, before):
            yield stored, read


def _leaves_without(code: Code, read: ast.Name, block: ast.If) -> bool:
    """Whether `if not test: continue` or the like stands between an `if test` and a read of what that sets."""
    opposite = ast.unparse(_negated(block.test))
    inside: ast.AST = read
    for above in code.tree.ancestors(read):
        before, _ = code.flow.siblings(inside, above) if isinstance(inside, ast.stmt) else ([], [])
        for each in before:
            leaves = isinstance(each, ast.If) and isinstance(each.body[-1], LEAVES)
            if isinstance(each, ast.If) and leaves and ast.unparse(each.test) == opposite:
                return True
        if code.within(block, above):
            return False
        inside = above
    return False


def _negated(test: ast.expr) -> ast.expr:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return inner
        case ast.Compare(left=left, ops=[ast.IsNot()], comparators=[other]):
            return ast.Compare(left, [ast.Is()], [other])
    return ast.UnaryOp(ast.Not(), test)


def _read_under_less(
    code: Code, function: Function, block: ast.If, once: list[ast.Name]
) -> Iterator[tuple[ast.Name, ast.Name, str]]:
    """The names that `if a and b` sets and that a later `if a` reads, and `b`, which is not asked again."""
    if not once or not _is_conjunction(block.test) or _repeats(code, block):
        return
    if names_in(block.test) & code.tree.bound_in(function):
        return
    asked = _conjuncts(block.test)
    for stored in once:
        for read in code.tree.names_by_id[stored.id]:
            behind = code.tree.position(read) > code.tree.position(block)
            if not behind or not isinstance(read.ctx, ast.Load) or code.within(read, block):
                continue
            tests = _tests_around(code, read, function)
            missing = asked - tests
            if tests and tests <= asked and len(missing) == 1:
                yield stored, read, missing.pop()


def _conjuncts(test: ast.expr) -> set[str]:
    parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
    return {ast.unparse(part) for part in parts}


def _tests_around(code: Code, read: ast.AST, function: ast.AST) -> set[str]:
    """What is known to hold where a name is read; nothing where an `else`, a choice or a `try` leads there."""
    found = set[str]()
    child = read
    for above in code.tree.ancestors(read):
        if above is function:
            return found
        if isinstance(above, (ast.If, ast.While)) and child is above.test:
            found |= _before(above.test, read, code)
        elif isinstance(above, (ast.If, ast.While)) and code.flow.field_of(read, above) == "body":
            found |= _conjuncts(above.test)
        elif isinstance(above, (*SOMETIMES, *FUNCTIONS)) and not _is_conjunction(above):
            return set()
        child = above
    return found


def _is_conjunction(node: ast.AST) -> bool:
    return isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And)


def _before(test: ast.expr, read: ast.AST, code: Code) -> set[str]:
    """The conjuncts of a test that are asked before the one that reads a name."""
    if not _is_conjunction(test) or not isinstance(test, ast.BoolOp):
        return set()
    first = next(n for n, part in enumerate(test.values) if code.within(read, part))
    return {ast.unparse(part) for part in test.values[:first]}


def _first_read(
    code: Code, statements: list[ast.stmt], name: str, home: ast.AST
) -> ast.Name | None:
    """The first read of a name in some statements that is evaluated whenever they are."""
    for statement in statements:
        for each in code.below(statement, ast.Name):
            read = each.id == name and isinstance(each.ctx, ast.Load)
            if read and _is_reached(code, each, home):
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
    if scope is None or scope.node is not function or not found:
        return False
    if found[0].node is not stored or any(_may_come_first(code, stored, b.node) for b in found[1:]):
        return False
    return not any(code.within(each, function) for each in _asked_for_names(code))


@once_per_file
def _asked_for_names(code: Code) -> list[ast.Name]:
    """Where a file asks for its variables by their names."""
    return [n for name in REFLECTS for n in code.tree.names_by_id.get(name, ())]


def _may_come_first(code: Code, stored: ast.Name, other: ast.AST) -> bool:
    """Whether another place that sets a name may run before the first read of it: it is in the same branch, in a loop
    around both, or no value made from the name."""
    statement = code.statement(other)
    made_from_it = isinstance(statement, ast.Assign) and stored.id in {
        n.id for n in code.below(statement.value, ast.Name)
    }
    in_loop = any(isinstance(a, LOOPS) for a in code.tree.ancestors(stored))
    return not made_from_it or in_loop


def _repeats(code: Code, block: ast.If) -> bool:
    """Whether the `if` is in a loop whose rounds decide its test: the first round may set the name."""
    loops = [a for a in code.tree.ancestors(block) if isinstance(a, LOOPS)]
    asked = {ast.unparse(n) for n in ast.walk(block.test) if isinstance(n, ast.Attribute)}
    return any(names_in(block.test) & code.tree.bound_in(loop) for loop in loops) or bool(
        loops and asked
    )


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
    """Whether a read is evaluated whenever the block that holds its statement is. A `for` is taken to have a round."""
    child: ast.AST = read
    for above in code.tree.ancestors(read):
        if above is home:
            return True
        match above:
            case ast.If(test=first) | ast.IfExp(test=first) | ast.While(test=first):
                reached = child is first
            case ast.BoolOp(values=[first, *_]):
                reached = child is first
            case ast.For(body=body, iter=first):
                reached = child is first or child in body
            case _:
                reached = not isinstance(above, (*SOMETIMES, *LOOPS, *FUNCTIONS, ast.ClassDef))
        if not reached:
            return False
        child = above
    return False
