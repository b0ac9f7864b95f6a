"""Source code: a loss, a mask or the output of a layer is computed, and nothing reads it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import cast

from keng.model import Hits, Severity, say
from keng.pitfalls.slips._shared import LOSS, liveness
from keng.rules import finds
from keng.source import Code, Grad, Kind
from keng.source.tree import FUNCTIONS, LOOPS, Function, part_at

CRITERION = re.compile(r"loss|crit", re.IGNORECASE)
BUILDS = re.compile(r"(?:^|\.)(?:set|get|build|make|create|init|configure)_")
MASK = re.compile(r"(?:^|_)masks?(?:_|\d|$)")
STATISTIC = re.compile(r"(?:^|_)(?:avg|average|mean|epoch|running)(?:_|$)")
"""In the names of what is only printed."""
MOVES = frozenset(
    "to cuda cpu numpy float reshape view transpose permute detach item squeeze unsqueeze contiguous clone".split()
)
SPLIT = re.compile(r"split|chunk")
ACTS = re.compile(r"step|train|update|log|backward|optim|run|next|get|pop|read", re.IGNORECASE)
START_VALUES = frozenset(
    f"torch.{name}"
    for name in ("zeros", "ones", "empty", "tensor", "zeros_like", "ones_like", "empty_like")
)

DEPTH = 4
"""Assignments from a value that nothing reads back to what it was computed from."""


@finds
def nothing_reads_it(code: Code) -> Hits:
    for name, loop in _loop_variables(code):
        yield code.hit(code.statement(name), say("loop-variable", name=name.id, over=loop))
    for name, twin in _other_spellings(code):
        yield code.hit(code.statement(name), say("other-spelling", name=name.id, twin=twin))
    for total, summand, alias in _added_to_itself(code):
        yield code.hit(total, say("added-to-itself", name=summand, alias=alias))
    if b"loss" not in code.tree.data and b"forward" not in code.tree.data:
        return
    for name, sure in _unread_values(code):
        later = _next_store(code, name)
        if later is not None:
            says = say("replaced", name=name.id, line=code.tree.line_of(later))
        else:
            says = say("unread", name=name.id)
        level: Severity | None = None if _loses_something(code, name) else "hint"
        yield code.hit(code.statement(name), says, sure=sure, level=level)


def _loses_something(code: Code, name: ast.Name) -> bool:
    """Whether the program does without something, as nothing reads a value: a loss, a layer or a parameter that is
    used nowhere else; or whether what it was computed from is used in its place (`loss` for `loss_scaled`). A
    mean of what a loop has added up is only not printed."""
    value = getattr(code.statement(name), "value", None)
    if code.modes.grad_at(name) is Grad.OFF:
        return False  # a number of an evaluation, which is not printed
    if (
        not isinstance(value, ast.expr)
        or STATISTIC.search(name.id)
        or _is_mean_of_total(code, value)
    ):
        return False
    replaced = _next_store(code, name) is not None
    if not replaced and (_is_term(code, name, value) or _replaces_its_source(code, value, name.id)):
        return True
    return _reads_what_is_lost(code, value, code.statement(name), DEPTH)


def _is_term(code: Code, name: ast.Name, value: ast.expr) -> bool:
    """Whether a value is a loss that was computed to be added: a sum, or what a criterion gives."""
    if not LOSS.search(name.id):
        return False
    moved = isinstance(value, ast.Call) and code.calls.attribute_name(value.func) in MOVES
    given = _calls(value, CRITERION) and not _calls(value, BUILDS) and not moved
    return isinstance(value, ast.BinOp) or given


def _replaces_its_source(code: Code, value: ast.expr, name: str) -> bool:
    if isinstance(value, ast.Call) and code.calls.attribute_name(value.func) in MOVES:
        return False
    read = [each for each in ast.walk(value) if isinstance(each, ast.Name)]
    whole = {n.id for n in read if not isinstance(code.tree.parent[n], ast.Subscript)}
    return any(each in name and each != name for each in whole)


def _reads_what_is_lost(code: Code, value: ast.expr, statement: ast.AST, depth: int) -> bool:
    """Whether an expression reads a loss, or a layer or parameter of `self`, that nothing but a statement
    reads, while what they are applied to is read later; or a value that nothing else reads and that was computed
    from such."""
    for read in ast.walk(value):
        match read:
            case ast.Attribute(value=ast.Name(id="self"), attr=attribute):
                loads = [
                    n
                    for n in code.tree.attributes_by_name[attribute]
                    if isinstance(n.ctx, ast.Load)
                ]
                alone = all(code.within(each, statement) for each in loads)
                if alone and code.graph.in_forward(read) and _is_bypassed(code, value, statement):
                    return True
            case ast.Name() if depth and _is_read_only_in(code, read, statement):
                if LOSS.search(read.id):
                    return True
                for binding in code.flow.reaching_definitions(read):
                    made, given = code.statement(binding.node), binding.value
                    if given is not None and _reads_what_is_lost(code, given, made, depth - 1):
                        return True
    return False


def _is_bypassed(code: Code, value: ast.expr, statement: ast.AST) -> bool:
    """Whether what an expression is computed from is read behind a statement as well, in its place."""
    names = [n for n in ast.walk(value) if isinstance(n, ast.Name) and n.id != "self"]
    end = code.tree.bounds(statement)[1]
    for name in names:
        bound = {b.node for b in code.flow.reaching_definitions(name)}
        for other in code.tree.names_by_id[name.id] if bound else ():
            behind = isinstance(other.ctx, ast.Load) and code.tree.bounds(other)[0] > end
            if behind and bound & {b.node for b in code.flow.reaching_definitions(other)}:
                return True
    return False


def _is_read_only_in(code: Code, read: ast.Name, statement: ast.AST) -> bool:
    """Whether nothing but a statement reads what a local name has there."""
    bound = {b.node for b in code.flow.reaching_definitions(read) if b.how == "assign"}
    loads = [
        n
        for n in code.below(code.tree.enclosing_body(read), ast.Name)
        if n.id == read.id and isinstance(n.ctx, ast.Load) and not code.within(n, statement)
    ]
    return bool(bound) and not any(
        bound & {b.node for b in code.flow.reaching_definitions(n)} for n in loads
    )


def _is_mean_of_total(code: Code, value: ast.expr) -> bool:
    match value:
        case ast.BinOp(op=ast.Div(), left=ast.Name() as total):
            return any(
                b.how == "augment" or (isinstance(b.value, ast.BinOp) and _adds(b.value, total.id))
                for b in code.flow.reaching_definitions(total)
            )
    return False


def _adds(value: ast.BinOp, name: str) -> bool:
    return isinstance(value.op, ast.Add) and getattr(value.left, "id", "") == name


def _loop_variables(code: Code) -> Iterator[tuple[ast.Name, str]]:
    """`for x in xs: x = x.to(device)`: the list that is read behind the loop keeps the old elements."""
    for live in liveness(code).values():
        for name in live.unread:
            loop = code.around(name, ast.For, *FUNCTIONS)
            given = _value_given(code, name)
            if not isinstance(loop, ast.For) or given is None or given[1]:
                continue
            own = {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
            over = _gone_over(loop.iter)
            made = isinstance(given[0], ast.Call) and _reads(given[0], name.id)
            made = made and not _may_be_in_place(code, given[0], loop, name.id)
            if name.id in own and made and over and _is_read_behind(code, loop, over):
                yield name, over


def _gone_over(iterated: ast.expr) -> str:
    """The name of the list or dictionary that a loop goes over."""
    match iterated:
        case ast.Name(id=name):
            return name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="items" | "values")):
            return name
        case ast.Call(func=ast.Name(id="enumerate"), args=[ast.Name(id=name)]):
            return name
    return ""


def _may_be_in_place(code: Code, value: ast.expr, loop: ast.For, name: str) -> bool:
    """Whether a call moves what it is called on, as `model.cuda()` does: a tensor and the values of a batch stay."""
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=receiver) as moved)) if receiver == name:
            items = isinstance(loop.iter, ast.Call) and loop.iter.func
            of_batch = isinstance(items, ast.Attribute) and items.attr in ("items", "values")
            return not of_batch and code.types.kind_of(moved) is not Kind.TENSOR
    return False


def _reads(value: ast.expr, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(value))


def _is_read_behind(code: Code, loop: ast.For, name: str) -> bool:
    end = code.tree.bounds(loop)[1]
    body = code.tree.enclosing_body(loop)
    reads = [n for n in code.below(body, ast.Name) if n.id == name and isinstance(n.ctx, ast.Load)]
    return any(code.tree.bounds(n)[0] > end for n in reads)


def _other_spellings(code: Code) -> Iterator[tuple[ast.Name, str]]:
    """Names that nothing reads, where another spelling of them is read."""
    for body, live in liveness(code).items():
        if isinstance(body, ast.Module):
            continue
        for name in live.unread:
            given = _value_given(code, name)
            plain = given is not None and not name.id.startswith("_")
            if plain and (twin := _other_spelling(code, body, name)):
                yield name, twin


def _other_spelling(code: Code, body: Function, name: ast.Name) -> str:
    """A name that differs in underscores only and that the function reads and has from elsewhere."""
    if len(name.id) < 6 or _is_stored_once(code, body, name.id) is False:
        return ""
    wanted = name.id.replace("_", "")
    for other in code.tree.names_by_id:
        if other != name.id and other.replace("_", "") == wanted and not other.startswith("_"):
            uses = [n for n in code.tree.names_by_id[other] if code.within(n, body)]
            if any(isinstance(n.ctx, ast.Load) for n in uses):
                return other
    return ""


def _is_stored_once(code: Code, body: Function, name: str) -> bool:
    uses = [n for n in code.tree.names_by_id[name] if code.within(n, body)]
    return all(isinstance(n.ctx, ast.Store) for n in uses)


def _added_to_itself(code: Code) -> Iterator[tuple[ast.BinOp, str, str]]:
    """`residual = x; y = layer(x); return x + residual`: both summands are one value."""
    aliases = {
        (each.targets[0].id, each.value.id)
        for each in code.of(ast.Assign)
        if len(each.targets) == 1
        and isinstance(each.targets[0], ast.Name)
        and isinstance(each.value, ast.Name)
    }
    for total in code.of(ast.BinOp) if aliases else ():
        match total:
            case ast.BinOp(
                left=ast.Name() as left, op=ast.Add() | ast.Sub(), right=ast.Name() as right
            ):
                for name, alias in ((left, right), (right, left)):
                    same = (alias.id, name.id) in aliases and _is_alias(code, alias, name)
                    if same and _loses_between(code, alias, total):
                        yield total, name.id, alias.id


def _is_alias(code: Code, alias: ast.Name, name: ast.Name) -> bool:
    """Whether two names hold one value where they stand: one was set to the other, and neither since."""
    match code.flow.reaching_definitions(alias):
        case [binding] if isinstance(binding.value, ast.Name) and not binding.path:
            then = code.flow.reaching_definitions(binding.value)
            now = code.flow.reaching_definitions(name)
            loops = [a for a in code.tree.ancestors(name) if isinstance(a, LOOPS)]
            if any(not code.within(binding.node, loop) for loop in loops):
                return False
            same = [b.node for b in then] == [b.node for b in now]
            return bool(now) and same and binding.value.id == name.id
    return False


def _loses_between(code: Code, alias: ast.Name, total: ast.BinOp) -> bool:
    """Whether something is computed of a value after it was kept under a second name, and nothing uses it."""
    kept = code.statement(code.flow.reaching_definitions(alias)[0].node)
    if not code.flow.always_before(kept, total):
        return False
    _, behind = code.flow.siblings(kept, code.tree.parent[kept])
    for statement in behind:
        match statement:
            case ast.Assign(targets=[ast.Name() as stored], value=ast.Call() as value):
                computed = not code.tree.names_in(total).isdisjoint(code.tree.names_in(value))
                if computed and all(_asks_shape(code, n) for n in code.flow.reads_of(stored)):
                    return True
            case _:
                pass
    return False


def _asks_shape(code: Code, name: ast.Name) -> bool:
    above = code.tree.parent[name]
    return isinstance(above, ast.Attribute) and above.attr in ("shape", "size", "dim", "ndim")


def _unread_values(code: Code) -> Iterator[tuple[ast.Name, bool]]:
    """Names that are given the work of the program and not read, and whether that cannot be idle."""
    for live in liveness(code).values():
        for name in live.unread:
            given = _value_given(code, name)
            if given is None or name.id.startswith("_") or _is_of_script(code, name):
                continue
            value, path = given
            part = part_at(value, path)
            if part is None and _is_new_rate(code, name):
                yield name, True
            elif part is not None and (
                _matters(code, name, part) or _is_next_state(code, name, part)
            ):
                yield name, _is_meant_for_use(code, name, part)


def _is_of_script(code: Code, name: ast.Name) -> bool:
    """Whether a name is set once at the top level of a script, where the reader may print it."""
    return code.around(name, *FUNCTIONS, *LOOPS) is None


def _is_meant_for_use(code: Code, name: ast.Name, value: ast.expr) -> bool:
    """Whether a value was made to be used: a loss, a mask or a share of the data, or what a forward computes.
    What is only printed at other times, or moved and viewed for nothing, is idle rather than wrong."""
    named = bool(LOSS.search(name.id) or MASK.search(name.id)) or isinstance(value, ast.Subscript)
    moved = isinstance(value, ast.Call) and code.calls.attribute_name(value.func) in MOVES
    return named or (code.graph.in_forward(name) and not moved) or _is_next_state(code, name, value)


def _is_next_state(code: Code, name: ast.Name, value: ast.expr) -> bool:
    """Whether the rounds of a loop compute this and all start from one old value, which the function returns."""
    loop, function = code.around(name, ast.For), code.tree.enclosing_function(name)
    if loop is None or function is None or not isinstance(value, ast.BinOp):
        return False
    for returned in code.tree.returns(function):
        if isinstance(returned, ast.Name) and returned.id != name.id:
            uses = [n for n in code.tree.names_by_id[returned.id] if code.within(n, loop)]
            if uses and all(isinstance(n.ctx, ast.Load) for n in uses):
                return not code.within(returned, loop)
    return False


def _matters(code: Code, name: ast.Name, value: ast.expr) -> bool:
    """Whether a value is the work of the program: a loss, a mask, an output, and no start value."""
    if isinstance(value, ast.Subscript) and not isinstance(value.value, ast.Call):
        tensor = isinstance(value.slice, ast.Tuple) or code.types.kind_of(value) is Kind.TENSOR
        return tensor and _next_store(code, name) is not None
    if isinstance(value, ast.Subscript):
        return "rank" in ast.unparse(value.slice) and _calls(value.value, SPLIT)
    if not isinstance(value, (ast.Call, ast.BinOp)) or _is_start_value(code, value):
        return False
    if code.types.kind_of(value) is Kind.CRITERION:
        return False
    if LOSS.search(name.id) and (isinstance(value, ast.BinOp) or _calls(value, CRITERION)):
        return not _may_act(code, value)
    return code.types.kind_of(value) is Kind.TENSOR or _is_output(code, value)


def _calls(value: ast.expr, named: re.Pattern[str]) -> bool:
    return isinstance(value, ast.Call) and bool(named.search(ast.unparse(value.func)))


def _is_start_value(code: Code, value: ast.expr) -> bool:
    dotted = code.names.resolve(value.func) if isinstance(value, ast.Call) else ""
    return dotted in START_VALUES or dotted.startswith("builtins.")


def _may_act(code: Code, value: ast.expr) -> bool:
    """Whether computing a value may do more than that: a step of training, a method that logs."""
    calls = [c for c in ast.walk(value) if isinstance(c, ast.Call)]
    return any(
        ACTS.search(code.calls.attribute_name(c.func)) or _is_asked_later(code, c) for c in calls
    )


def _is_asked_later(code: Code, call: ast.Call) -> bool:
    """Whether what is called is an object whose attributes are read after the call, which may set them."""
    if not isinstance(call.func, ast.Name):
        return False
    body, here = code.tree.enclosing_body(call), code.tree.position(call)
    return any(
        isinstance(each.value, ast.Name)
        and each.value.id == call.func.id
        and isinstance(each.ctx, ast.Load)
        and getattr(code.tree.parent[each], "func", None) is not each
        and code.tree.position(each) > here
        for each in code.below(body, ast.Attribute)
    )


def _is_output(code: Code, value: ast.expr) -> bool:
    """Whether a value comes out of a layer of the module in whose forward it is."""
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Name()) as function):
            return code.types.kind_of(function) is Kind.MODULE and code.graph.in_forward(value)
    return False


def _is_new_rate(code: Code, name: ast.Name) -> bool:
    """Whether a name is the new one of a pair `old_lr, new_lr`."""
    names = code.tree.parent[name]
    pair = {getattr(each, "id", "") for each in getattr(names, "elts", ())}
    return name.id.startswith("new_") and f"old_{name.id[4:]}" in pair


def _value_given(code: Code, name: ast.Name) -> tuple[ast.expr, tuple[int, ...]] | None:
    """The value of the one assignment that stores a name, and the place in it that the name is given."""
    path: list[int] = []
    child: ast.AST = name
    for above in code.tree.ancestors(name):
        match above:
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                path.insert(0, elements.index(cast(ast.expr, child)))
            case (
                ast.Assign(targets=[_], value=ast.expr() as value)
                | ast.AnnAssign(value=ast.expr() as value)
            ):
                return value, tuple(path)
            case _:
                return None
        child = above
    return None


def _next_store(code: Code, name: ast.Name) -> ast.Name | None:
    here = code.tree.position(name)
    after = [b.node for b in code.names.bindings(name) if code.tree.position(b.node) > here]
    apart = code.flow.are_exclusive
    return next((n for n in after if isinstance(n, ast.Name) and not apart(name, n)), None)
