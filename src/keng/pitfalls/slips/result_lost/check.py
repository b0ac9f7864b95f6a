"""Source code: a value is computed in a function, and the place that wants it gets None or nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Fix, Hits, Severity, say
from keng.pitfalls.slips._shared import called_function, may_be_replaced
from keng.rules import finds
from keng.source import Code
from keng.source.tree import FUNCTIONS, Definition

IN_PLACE = frozenset({"random.shuffle", "numpy.random.shuffle"})
WITHOUT_VALUE = frozenset({"backward", "zero_grad"})


@finds(fixes=True)
def value_does_not_arrive(code: Code) -> Hits:
    yield from _annotated_with_value(code)
    yield from _arm_without_return(code)
    nothing: dict[ast.AST, bool] = {}
    for assigned, call in _assigned_calls(code):
        called = getattr(call.func, "attr", getattr(call.func, "id", ""))
        if called == "shuffle" and code.names.resolve(call.func) in IN_PLACE:
            yield code.hit(assigned, say("shuffled-in-place", call=code.text_of(call.func)))
        elif isinstance(call.func, ast.Attribute) and called in WITHOUT_VALUE:
            if not call.args and not code.types.definition(call.func):
                yield code.hit(assigned, say("nothing-returned", call=code.text_of(call.func)))
        elif there := _definition(code, call):
            if there.node not in nothing:
                nothing[there.node] = _returns_nothing(code.at(there.tree), there)
            if nothing[there.node]:
                level: Severity | None = None if _is_wanted(code, call) else "hint"
                says = say("nothing-returned", call=code.text_of(call.func))
                yield code.hit(assigned, says, level=level)


def _is_wanted(code: Code, call: ast.Call, depth: int = 3) -> bool:
    """Whether something is done with what a call was thought to return: it is read here, or handed to a caller who
    reads it."""
    match code.tree.parent[call]:
        case ast.Expr():
            return False
        case ast.Return():
            uses: list[ast.AST] = [call]
        case ast.Assign(targets=[ast.Name() as stored]):
            uses = [*code.flow.reads_of(stored)]
        case _:
            return True
    function = code.tree.enclosing_function(call)
    if function is None or any(not _is_handed_on(code, use) for use in uses):
        return bool(uses)
    return bool(uses) and any(
        depth == 0 or _is_wanted(code.at(tree), calling, depth - 1)
        for tree, calling in code.types.callers(function)
    )


def _is_handed_on(code: Code, use: ast.AST) -> bool:
    return isinstance(use, ast.Call) or isinstance(code.tree.parent[use], ast.Return)


def _annotated_with_value(code: Code) -> Hits:
    """`self.norm: torch.mean(x)` in a function: an annotation, which is not even evaluated."""
    for annotated in code.of(ast.AnnAssign):
        if annotated.value is not None or code.tree.enclosing_function(annotated) is None:
            continue
        if isinstance(annotated.annotation, (ast.Call, ast.BinOp)):
            union = isinstance(annotated.annotation, ast.BinOp) and isinstance(
                annotated.annotation.op, ast.BitOr
            )
            if not union and code.around(annotated, ast.ClassDef, *FUNCTIONS) in code.of(
                ast.FunctionDef
            ):
                target, value = annotated.target, annotated.annotation
                text = f"{code.text_of(target)} = {code.text_of(value)}"
                fix = Fix(say("assign"), (code.edits.replace(annotated, text),))
                yield code.hit(annotated, say("annotation", name=code.text_of(target)), fix)


def _arm_without_return(code: Code) -> Hits:
    """`if a: return f(x)` and `else: g(x)` at the end of a function, where `g` returns a value."""
    for function in code.of(ast.FunctionDef):
        last = function.body[-1]
        if not isinstance(last, ast.If) or not last.orelse:
            continue
        ends = [each[-1] for each in _arms(last)]
        gives = [e for e in ends if isinstance(e, ast.Return) and isinstance(e.value, ast.Call)]
        for end in ends if gives else ():
            if not isinstance(end, ast.Expr) or not isinstance(end.value, ast.Call):
                continue
            there = _definition(code, end.value)
            if there is not None and _always_returns(there):
                fix = Fix(say("return"), (code.edits.insert(end, "return "),))
                yield code.hit(end, say("arm", function=function.name), fix)


def _arms(choice: ast.If) -> Iterator[list[ast.stmt]]:
    yield choice.body
    match choice.orelse:
        case [ast.If() as other]:
            yield from _arms(other)
        case [_, *_]:
            yield choice.orelse


def _assigned_calls(code: Code) -> Iterator[tuple[ast.Assign, ast.Call]]:
    for assigned in code.of(ast.Assign):
        if isinstance(assigned.value, ast.Call) and not isinstance(
            assigned.targets[0], (ast.Tuple, ast.List)
        ):
            name = getattr(assigned.targets[0], "id", "")
            if not name.startswith("_"):
                yield assigned, assigned.value


def _definition(code: Code, call: ast.Call) -> Definition | None:
    """The function of the project that a call runs."""
    if isinstance(call.func, ast.Name) and call.func.id[:1].isupper():
        return None
    return called_function(code, call)


def _returns_nothing(code: Code, there: Definition) -> bool:
    """Whether a function does something and never returns a value, in no heir and under no decorator."""
    function = there.node
    if not isinstance(function, ast.FunctionDef) or function.decorator_list:
        return False
    if code.tree.returns(function) or code.below(function, ast.Yield, ast.YieldFrom):
        return False
    body = [s for s in function.body if not _is_idle(s)]
    if not body or any(isinstance(n, ast.Raise) for n in function.body):
        return False
    return not may_be_replaced(code, function)


def _is_idle(statement: ast.stmt) -> bool:
    constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return constant or isinstance(statement, (ast.Pass, ast.Raise, ast.Return, ast.Assert))


def _always_returns(there: Definition) -> bool:
    """Whether the last statement of a function returns a value."""
    last = there.node.body[-1]
    return isinstance(last, ast.Return) and last.value is not None
