"""Error messages: a value that backward needs was changed in place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from keng.explain.advice.fits import by_what
from keng.explain.advice.kept import WEIGHTS, changed_otherwise, kept_as
from keng.explain.failure import Failure
from keng.explain.live import Changed
from keng.model import Fix, Hit, Hits, Span
from keng.pitfalls.autograd._shared import steps_called
from keng.rules import explains
from keng.source import Code, Kind
from keng.source.tree import LOOPS, Function

IN_PLACE_BY_NATURE = frozenset({"requires_grad_", "detach_", "share_memory_", "retain_grad"})
SIGNS = {
    ast.Add: ("+", "Add"),
    ast.Sub: ("-", "Sub"),
    ast.Mult: ("*", "Mul"),
    ast.Div: ("/", "Div"),
}
"""With what the graph calls the operation."""


@explains("changed-after-it-was-kept")
def changed_after_it_was_kept(failure: Failure) -> Hits:
    shape, node = (failure.groups.get(name, "") for name in ("shape", "node"))
    node = re.sub(r"Backward\d*$", "", node)
    line = failure.place.line if failure.place else 0
    changes = _changes_before(failure.code, line) if failure.code is not None else []
    steps = [
        node for node, tensor in changes if tensor is None and ".step" in failure.code.text_of(node)
    ]
    of = f" of shape ({shape})" if shape else ""
    changed = failure.live.changed
    if changed is not None and changed.names:
        yield _held_by_a_module(failure, changed, line)
        return
    if node in WEIGHTS and steps:
        says = f"weights{of} changed by `step()` on line {failure.code.tree.line_of(steps[-1])} are needed by this backward"
        sure = not any(isinstance(tensor, ast.Attribute) for _, tensor in changes)
        yield failure.hit(f"{says}: step after it", sure=sure)
        return
    others = [change for change, _ in changes if change not in steps]
    by, where = by_what(failure, others)
    if not by:
        yield failure.hit(changed_otherwise(failure, shape, node))
        return
    alone = (
        where is not None
        and len(others) == 1
        and where.line == failure.code.tree.line_of(others[0])
    )
    fix = _not_in_place(failure.code, others[0], node) if alone else None
    made = _made_in_place(failure.code) if changed and changed.layers and failure.code else None
    where, fix = made if made is not None and where is None else (where, fix)
    says = (
        f"{kept_as(shape, node)} is needed for backward and was changed in place{by}: change a copy"
    )
    yield failure.hit(says, fix, where)


def _held_by_a_module(failure: Failure, changed: Changed, line: int) -> Hit:
    """A parameter that an optimizer steps, or a parameter or buffer that the program itself changes."""
    what, by, step = " or ".join(f"`{name}`" for name in changed.names[:3]), None, False
    if failure.code is not None:
        by, step = _changed_by(failure.code, line, changed.names, changed.steppers)
    told = f" by `{failure.code.text_of(by)}` on line {failure.code.tree.line_of(by)}" if by else ""
    if step:
        cure = "step after it"
        if _steps_of_others(failure.code, line, changed.steppers):
            cure = "its forward pass belongs behind that step"
        return failure.hit(f"{what}, changed{told}, is needed by this backward: {cure}")
    says = f"{what} is needed for backward and was changed in place{told}: use its clone() in the forward"
    return failure.hit(says, where=failure.code.span(by) if by else None)


def _overwrites(code: Code, scope: ast.AST) -> Iterator[tuple[ast.AST, ast.expr | None]]:
    """What changes a tensor in place below a node, and the tensor where it has a name."""
    for node in code.below(scope, ast.AugAssign, ast.Assign, ast.Call):
        match node:
            case ast.AugAssign(target=target):
                if code.types.kind_of(target) is Kind.TENSOR or isinstance(target, ast.Subscript):
                    yield node, target
            case ast.Assign(targets=[ast.Subscript(value=holder)]):
                if code.types.kind_of(holder) is Kind.TENSOR:
                    yield node, holder
            case ast.Call(func=ast.Attribute(attr=name, value=holder)) if name.endswith(
                "_"
            ) and not name.endswith("__"):
                if name not in IN_PLACE_BY_NATURE and code.types.kind_of(holder) is not Kind.MODULE:
                    yield node, holder
            case ast.Call(keywords=keywords):
                if any(k.arg == "inplace" and code.flow.is_true(k.value) for k in keywords):
                    yield node, node.args[0] if node.args else None


def _function_on(code: Code, line: int) -> ast.FunctionDef | None:
    """The innermost function around a line."""
    return next(iter(code.tree.on_line(line, ast.FunctionDef)[::-1]), None)


def _changes_before(code: Code, line: int) -> list[tuple[ast.AST, ast.expr | None]]:
    """What changed tensors in place before a line, in its function and in the forwards of the file:
    in-place operations and optimizer steps, in source order."""
    home = _function_on(code, line)
    found: list[tuple[ast.AST, ast.expr | None]] = [
        *_overwrites(code, code.tree.root),
        *((call, None) for call in steps_called(code)),
    ]
    return sorted(
        (change for change in found if _comes_before(code, change[0], line, home)),
        key=lambda change: code.tree.position(change[0]),
    )


def _comes_before(code: Code, node: ast.AST, line: int, home: Function | None) -> bool:
    function = code.tree.enclosing_function(node)
    if function is home:
        return code.tree.position(node)[0] < line or _in_last_round_of(code, node, line)
    return function is not None and function.name == "forward"


def _in_last_round_of(code: Code, node: ast.AST, line: int) -> bool:
    """Whether a loop around a line comes back to it after a node."""
    loops = [a for a in code.tree.ancestors(node) if isinstance(a, LOOPS)]
    return any(code.tree.covers(loop, line) for loop in loops)


def _made_in_place(code: Code) -> tuple[Span, Fix] | None:
    """Where the file makes its one layer that works in place, and how it is made without."""
    given = [(c, k.value) for c in code.of(ast.Call) for k in c.keywords if k.arg == "inplace"]
    made = [(call, value) for call, value in given if code.flow.is_constant(value, True)]
    if len(made) != 1:
        return None
    (call, value) = made[0]
    return code.span(call), Fix("Keep what it is given", (code.edits.replace(value, "False"),))


def _not_in_place(code: Code, change: ast.AST, node: str) -> Fix | None:
    """A fix that makes a new tensor in place of `x += y`, where that is what the graph has recorded, or
    where `x` is made once, by the operation whose result was changed."""
    if not isinstance(change, ast.AugAssign) or not isinstance(change.target, ast.Name):
        return None
    name, (sign, operation) = change.target.id, SIGNS.get(type(change.op), ("", ""))
    made = [
        b.value
        for b in code.flow.reaching_definitions(change.target)
        if b.node is not change.target
    ]
    called = made[0].func if len(made) == 1 and isinstance(made[0], ast.Call) else None
    maker = getattr(called, "attr", getattr(called, "id", "")).replace("_", "")
    if not sign or (node != operation and not (maker and maker == node.lower())):
        return None
    text = f"{name} = {name} {sign} {code.edits.parenthesized(change.value)}"
    return Fix("Make a new tensor", (code.edits.replace(change, text),), "shown")


def _changed_by(
    code: Code, line: int, held: tuple[str, ...], steppers: tuple[str, ...]
) -> tuple[ast.AST | None, bool]:
    """What changed one of these, held by modules, before a line: the last step of their optimizers,
    which is told, or the first change of an attribute so named."""
    changes = _changes_before(code, line)
    ours = tuple(f"{name}.step" for name in steppers)
    steps = [n for n, t in changes if t is None and ours and code.text_of(n).startswith(ours)]
    if steps:
        return steps[-1], True
    own = {name.rpartition(".")[2] for name in held}
    return next((n for n, t in changes if getattr(t, "attr", "") in own), None), False


def _steps_of_others(code: Code, line: int, steppers: tuple[str, ...]) -> bool:
    """Whether the function steps other optimizers alone after a line: what the backward there gives to
    the parameters of these is not wanted."""
    home, steps = _function_on(code, line), steps_called(code)
    after = [c for c in steps if c.lineno >= line and code.tree.enclosing_function(c) is home]
    ours = tuple(f"{name}.step" for name in steppers)
    return bool(after) and not any(code.text_of(c).startswith(ours) for c in after)
