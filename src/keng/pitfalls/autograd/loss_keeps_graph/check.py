"""Source code: a running total keeps the graph of every step alive."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import cast

from keng.model import Fix, Hit, Hits, say
from keng.pitfalls.autograd._shared import names_with_grad
from keng.pitfalls.autograd.loss_keeps_graph.protocol import KeptLosses
from keng.rules import finds
from keng.source import Act, Code, Grad, Kind, Loop
from keng.source.code import once_per_file
from keng.source.loops import BACKWARD, Round
from keng.source.tree import FUNCTIONS, LOOPS, Function, names_in

LOSS = re.compile(r"(?:^|_)loss(?:es)?(?:_|\d|$)")
GATHERS = re.compile(r"accum|append|total|collect", re.IGNORECASE)


@finds(fixes=True)
def graph_kept_after_backward(code: Code) -> Hits:
    for loop in _stepping(code):
        losses = code.graph.losses(loop)
        summed = {code.text_of(loss) for loss in losses}
        lost = [part for loss in losses for part in _loss_terms(code, loss)]
        for node, holder, value in _accumulators(code, loop):
            names = [
                name
                for name in names_with_grad(code, value)
                if _is_loss_of_step(code, name)
                or any(
                    _same_loss(code, own, part) for own in _loss_terms(code, name) for part in lost
                )
            ]
            if not names or not _is_recorded(code, node, loop):
                continue
            if _is_reset_in(code, holder, loop) or _is_bounded(code, holder):
                continue
            text = code.text_of(holder)
            if text in summed:
                continue  # for a backward of its own
            edits = tuple(code.edits.append(_read_as(code, name), ".detach()") for name in names)
            fix = Fix(say("keep-value-without-graph"), edits)
            yield code.hit(
                node, say("keeps-graph-every-step", holder=text, name=names[0].id), fix=fix
            )


def _is_recorded(code: Code, node: ast.AST, loop: Loop) -> bool:
    """Whether autograd records at a node of a training loop; where callers or a flag decide, it does
    wherever the loop goes backward, if all conditions of the node are conditions of that."""
    state = code.modes.grad_at(node)
    if state is not Grad.UNKNOWN:
        return state is Grad.ON
    tests = [each for each in code.tree.ancestors(node) if isinstance(each, (ast.If, ast.Try))]
    inside = [each for each in tests if code.within(each, loop.node)]
    return any(
        all(
            code.within(step.call, test)
            and code.flow.field_of(step.call, test) == code.flow.field_of(node, test)
            for test in inside
        )
        for step in loop.own(Act.BACKWARD)
    )


@finds(fixes=True)
def graph_kept_on_self(code: Code) -> Hits:
    for node, holder, name in _kept_on_self(code):
        if code.modes.grad_at(node) is not Grad.ON:
            continue
        edit = code.edits.append(_read_as(code, name), ".detach()")
        fix = Fix(say("keep-value-without-graph"), (edit,))
        says = say("keeps-graph-every-step", holder=code.text_of(holder), name=name.id)
        yield code.hit(node, says, fix=fix)


@finds(fixes=True)
def graph_kept_where_loss_is_computed(code: Code) -> Hits:
    """`self.metrics["loss"].append(loss.mean())` in the method that returns the loss of a step."""
    lost = _functions_of_losses(code)
    for function in code.of(ast.FunctionDef) if lost else ():
        parts = lost.get(function, [])
        for node, holder, value in _kept_below(code, function) if parts else ():
            whole = holder
            while isinstance(whole, ast.Subscript):
                whole = whole.value
            if not isinstance(whole, ast.Attribute) or code.classes.self_class(whole.value) is None:
                continue
            names = [
                n
                for n in names_with_grad(code, value)
                if any(_same_loss(code, n, p) for p in parts)
            ]
            off = code.modes.grad_at(node) is not Grad.ON
            if (
                not names
                or off
                or isinstance(node, ast.Assign)
                or _emptied(code, whole, code.tree.root)
            ):
                continue
            fix = Fix(
                say("keep-value-without-graph"),
                (code.edits.append(_read_as(code, names[0]), ".detach()"),),
            )
            says = say("keeps-graph-every-step", holder=code.text_of(holder), name=names[0].id)
            yield code.hit(node, says, fix=fix)


@finds(fixes=True, mentions=["add_", "item"])
def graph_kept_in_sum_or_beside(code: Code) -> Hits:
    """`total.add_(loss)`, and `accumulate(logs, dict(loss=loss.item(), recon=recon_loss))`."""
    if b"backward(" not in code.tree.data:
        return
    for holder, name in [*_added_in_place(code), *_kept_beside_numbers(code)]:
        if code.modes.grad_at(name) is Grad.ON:
            fix = Fix(say("keep-value-without-graph"), (code.edits.append(name, ".detach()"),))
            says = say("keeps-graph-every-step", holder=code.text_of(holder), name=name.id)
            yield code.hit(name, says, fix=fix)


@finds(mentions=["backward"])
def graph_kept_by_execution(code: Code) -> Hits:
    """As the file runs: kept by a method, a meter, or another function than goes backward."""
    for kept in KeptLosses(code):
        place = kept.event.place
        if not code.execution.is_shown(place, _shown(code)):
            names = ast.unparse(kept.holder), ast.unparse(kept.value)
            says = say("keeps-graph-every-step", holder=names[0], name=names[1])
            yield code.hit(place, says)


@once_per_file
def _shown(code: Code) -> list[Hit]:
    """What the rules on the text of the file have shown."""
    return [
        *graph_kept_after_backward(code),
        *graph_kept_on_self(code),
        *graph_kept_where_loss_is_computed(code),
        *graph_kept_in_sum_or_beside(code),
    ]


def _added_in_place(code: Code) -> Iterator[tuple[ast.expr, ast.Name]]:
    """What a step adds its loss to in place, before it goes backward on that loss."""
    for call, holder, method in code.calls.discarded_method_calls():
        match call.args:
            case [ast.Name() as name] if method == "add_" and LOSS.search(name.id):
                if _goes_backward_here(code, name) and not _of_gradients(holder):
                    yield holder, name
            case _:
                pass


def _of_gradients(holder: ast.expr) -> bool:
    return bool(
        {"grad", "data"} & {n.attr for n in ast.walk(holder) if isinstance(n, ast.Attribute)}
    )


def _kept_beside_numbers(code: Code) -> Iterator[tuple[ast.expr, ast.Name]]:
    """The losses of a dictionary that is gathered whose other losses are numbers by `.item()`."""
    for call in code.of(ast.Call):
        if not GATHERS.search(code.calls.attribute_name(call.func)):
            continue
        for given in call.args:
            match given:
                case ast.Call(func=ast.Name(id="dict"), args=[], keywords=entries):
                    values = [entry.value for entry in entries]
                case ast.Dict(values=values):
                    pass
                case _:
                    continue
            losses = [n for v in values for n in names_with_grad(code, v) if LOSS.search(n.id)]
            numbers = [v for v in values if any(_is_item(n) for n in ast.walk(v))]
            for name in losses if numbers else ():
                yield call.args[0], name


def _is_item(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="item", value=ast.Name(id=name))):
            return bool(LOSS.search(name))
    return False


def _goes_backward_here(code: Code, name: ast.Name) -> bool:
    body = code.tree.enclosing_body(name)
    calls = (c for c in code.below(body, ast.Call) if getattr(c.func, "attr", "") == "backward")
    return any(name.id in names_in(call.func) for call in calls)


def _functions_of_losses(code: Code) -> dict[ast.AST, list[ast.Name]]:
    """The functions of a file that return what a training loop goes backward on, and the terms of that."""
    found: dict[ast.AST, list[ast.Name]] = {}
    for loop in _stepping(code):
        for loss in code.graph.losses(loop):
            call = code.flow.assigned_value(loss)
            function = code.types.definition(call.func) if isinstance(call, ast.Call) else None
            if function is None or function.tree is not code.tree:
                continue
            for way in code.tree.returns(function.node):
                if isinstance(way, ast.Name):
                    found.setdefault(function.node, []).extend(_loss_terms(code, way))
    return found


@once_per_file
def _stepping(code: Code) -> list[Loop]:
    """The innermost training loops, and those around them that go backward and step on their own
    as well: a generator's step after several of its critic."""
    outer = [loop for loop in code.loops.all if loop.trains and loop not in code.loops.training]
    return [*code.loops.training, *(loop for loop in outer if _trains_itself(code, loop))]


def _trains_itself(code: Code, loop: Loop) -> bool:
    inner = [i.node for i in loop.inner if i.trains]
    own = [s.act for s in loop.steps if not any(code.within(s.reached_by, i) for i in inner)]
    return Act.BACKWARD in own and Act.STEP in own


def _read_as(code: Code, name: ast.Name) -> ast.expr:
    """What of a name is read where it stands: its `.loss`, or the thing itself."""
    above = code.tree.parent.get(name)
    return cast(ast.expr, above) if code.graph.is_output_loss(above) else name


def _same_loss(code: Code, one: ast.Name, other: ast.Name) -> bool:
    """Whether two uses of a name read the same loss."""
    alike = type(_read_as(code, one)) is type(_read_as(code, other))
    return alike and code.graph.same_value(one, other)


def _loss_terms(code: Code, loss: ast.Name) -> list[ast.Name]:
    """A loss and the terms that it was summed from."""
    found = [loss]
    for binding in code.flow.reaching_definitions(loss):
        if binding.how == "assign" and not binding.path and isinstance(binding.value, ast.BinOp):
            found += code.graph.summands(binding.value)
    return found


def _is_reset_in(code: Code, name: ast.expr, loop: Loop) -> bool:
    """Whether a name or attribute is set again in each round of a loop, or shrinks in it."""
    text = ast.unparse(name)
    for node in code.below(loop.node, ast.Call, ast.Assign):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="clear" | "pop" | "popleft" | "zero_", value=holder)
            ):
                if ast.unparse(holder) == text:
                    return True
            case ast.Assign(targets=targets, value=value) if text in map(ast.unparse, targets):
                now_and_then = code.around(node, ast.If, *LOOPS) is not loop.node
                if not _mentions(value, text) and not now_and_then:
                    return True
    return False


def _is_bounded(code: Code, node: ast.expr) -> bool:
    """Whether a container is a deque that keeps only so many."""
    return any(
        isinstance(made, ast.Call)
        and code.names.resolve(made.func) == "collections.deque"
        and code.calls.argument(made, "maxlen", 1) is not None
        for made in code.flow.values_given(node)
    )


def _accumulators(code: Code, loop: Loop) -> Iterator[tuple[ast.AST, ast.expr, ast.expr]]:
    """Where a loop adds to something that stays: `total += value`, `total = total + value`,
    `total = 0.9 * total + 0.1 * value`, `kept.append(value)`. The node to name, what holds it, and
    the value."""
    inner = [each.node for each in loop.inner if each.trains]
    for kept in _kept_below(code, loop.node):
        if not any(code.within(kept[0], each) for each in inner):
            yield kept


def _kept_below(code: Code, block: ast.AST) -> Iterator[tuple[ast.AST, ast.expr, ast.expr]]:
    for node in code.below(block, ast.AugAssign, ast.Assign, ast.Call):
        match node:
            case ast.AugAssign(op=ast.Add()):
                yield node, node.target, node.value
            case ast.Assign(
                targets=[target], value=ast.BinOp(op=ast.Add(), left=left, right=right)
            ):
                if ast.unparse(target) in _factors(left):
                    yield node, target, right
                elif ast.unparse(target) in _factors(right):
                    yield node, target, left
            case ast.Call(func=ast.Attribute(value=holder)):
                if isinstance(code.tree.parent[node], ast.Expr):
                    yield from ((node, holder, value) for value in _taken(code, node, block))


def _taken(code: Code, call: ast.Call, block: ast.AST) -> Iterator[ast.expr]:
    """What the object whose method is called adds to what it holds: a list by `append`, one of the
    project where the block that calls it, and the training loops, do not empty it again."""
    method = code.types.definition(call.func)
    if method is None or isinstance(method.node, ast.ClassDef):
        appends = isinstance(call.func, ast.Attribute) and call.func.attr == "append"
        yield from call.args if appends and len(call.args) == 1 else ()
        return
    rounds = [block, *(loop.node for loop in code.loops.training)]
    for name, emptied_by in _arguments_kept(code.at(method.tree), method.node).items():
        given = code.calls.bound_argument(call, method.node, name)
        again = [
            c for c in code.calls.method_calls(*emptied_by) for r in rounds if code.within(c, r)
        ]
        if given is not None and not again:
            yield given


def _arguments_kept(code: Code, method: Function) -> dict[str, set[str]]:
    """The arguments of a method that it adds, as they come, to an attribute of its object; with the
    methods of the class that empty this again."""
    owner = code.tree.parent.get(method)
    if method not in _kept_by_method(code) and isinstance(owner, ast.ClassDef):
        kept = _kept_by_method(code)[method] = {}
        for node, holder, value in _kept_by_attributes(code, method):
            if _is_bounded(code, holder) or code.modes.grad_at(node, 0) is not Grad.ON:
                continue
            by = {
                f.name
                for n in _emptyings(code, holder, owner)
                if (f := code.tree.enclosing_function(n))
            }
            for name in names_with_grad(code, value):
                if all(b.how == "argument" for b in code.flow.reaching_definitions(name)):
                    kept[name.id] = by
    return _kept_by_method(code).get(method, {})


@once_per_file
def _kept_by_method(code: Code) -> dict[ast.AST, dict[str, set[str]]]:
    return {}


def _kept_on_self(code: Code) -> Iterator[tuple[ast.AST, ast.expr, ast.Name]]:
    """Where a method that goes backward and steps keeps its loss on `self` for good, or a
    `training_step` of Lightning what it returns, with the graph: the node, the holder, the loss."""
    ours = code.names.uses_framework()
    if not ours and not any(code.calls.method_calls(*BACKWARD)):
        return
    for function in code.of(ast.FunctionDef):
        lost = [part for loss in _losses_of(code, function) for part in _learned_parts(code, loss)]
        for node, holder, value in _kept_by_attributes(code, function) if lost else ():
            names = [
                n for n in names_with_grad(code, value) if any(_same_loss(code, n, m) for m in lost)
            ]
            if names and not _emptied(code, holder, function if ours else code.tree.root):
                yield node, holder, names[0]


def _learned_parts(code: Code, loss: ast.Name) -> Iterator[ast.Name]:
    """A loss and the tensors that it was summed from."""
    yield loss
    yield from (p for p in _loss_terms(code, loss)[1:] if code.types.kind_of(p) is Kind.TENSOR)


def _kept_by_attributes(
    code: Code, function: Function
) -> Iterator[tuple[ast.AST, ast.expr, ast.expr]]:
    """What a method keeps on `self`, or gives to a method of the same object that does."""
    for node, holder, value in _kept_below(code, function):
        of = holder.value if isinstance(holder, ast.Attribute) else holder
        if code.classes.self_class(of) is not None:
            yield node, holder, value


def _losses_of(code: Code, function: ast.FunctionDef) -> list[ast.Name]:
    """What one call of a method goes backward on, or hands to the trainer that does."""
    if not code.classes.is_method(function):
        return []
    if code.names.uses_framework():
        if function.name not in ("training_step", "compute_loss"):
            return []
        ways = [
            _first_part(way)
            for returned in code.tree.returns(function)
            for way in _ways_of(returned)
        ]
        given = [way for way in ways if isinstance(way, ast.Name)]
        return [*given, *_lost_in(code, function)]
    steps = Round(code.loops, function)
    if not any(
        code.tree.enclosing_function(c) is function for c in code.calls.method_calls(*BACKWARD)
    ):
        return []
    if not steps.trains:
        return []
    own = [s.call for s in steps.own(Act.BACKWARD) if isinstance(s.call, ast.Call)]
    single = [c for c in own if not isinstance(code.around(c, *LOOPS, *FUNCTIONS), LOOPS)]
    return [name for call in single for name in code.graph.backward_losses(call)]


def _lost_in(code: Code, function: ast.AST) -> list[ast.Name]:
    """What the calls of backward below a node go back through."""
    calls = [c for c in code.below(function, ast.Call) if code.loops.act_of(c) is Act.BACKWARD]
    return [name for call in calls for name in code.graph.backward_losses(call)]


def _is_loss_of_step(code: Code, name: ast.Name) -> bool:
    """Whether a name was given what a function of the project went backward on and returned."""
    call = code.flow.assigned_value(name)
    function = code.types.definition(call.func) if isinstance(call, ast.Call) else None
    if function is None or isinstance(function.node, ast.ClassDef):
        return False
    tree, lost = function.tree, _lost_in(code.at(function.tree), function.node)
    ways = tree.returns(function.node) if lost else []
    return bool(ways) and all(
        isinstance(way, ast.Name)
        and any(code.graph.of(tree).same_value(way, other) for other in lost)
        for way in ways
    )


def _emptied(code: Code, holder: ast.expr, scope: ast.AST) -> bool:
    """Whether what an attribute holds is dropped somewhere in a scope, or is bounded."""
    return _is_bounded(code, holder) or any(True for _ in _emptyings(code, holder, scope))


def _emptyings(code: Code, holder: ast.expr, scope: ast.AST) -> Iterator[ast.AST]:
    """Where in a scope what an attribute holds is dropped."""
    name = holder.attr if isinstance(holder, ast.Attribute) else ""
    for node in code.below(scope, ast.Call, ast.Attribute):
        match node:
            case ast.Call(func=ast.Attribute(attr=method, value=ast.Attribute(attr=attr))):
                if attr == name and method in ("clear", "pop", "popleft", "zero_"):
                    yield node
            case ast.Attribute(attr=attr, ctx=ast.Store() | ast.Del()) if attr == name:
                function = code.tree.enclosing_function(node)
                kept = isinstance(code.tree.parent[node], ast.AugAssign)
                if not kept and function is not None and function.name != "__init__":
                    yield node
            case ast.Attribute(attr=attr) if attr == name:
                above = code.tree.parent[node]
                if isinstance(above, ast.Subscript) and not isinstance(above.ctx, ast.Load):
                    yield node


def _mentions(node: ast.expr, text: str) -> bool:
    """Whether an expression holds another, given as text."""
    return any(isinstance(n, ast.expr) and ast.unparse(n) == text for n in ast.walk(node))


def _ways_of(node: ast.expr) -> list[ast.expr]:
    """What a conditional expression may be."""
    return [*_ways_of(node.body), *_ways_of(node.orelse)] if isinstance(node, ast.IfExp) else [node]


def _first_part(node: ast.expr) -> ast.expr:
    """Of several values the first."""
    return node.elts[0] if isinstance(node, ast.Tuple) and node.elts else node


def _factors(node: ast.expr) -> set[str]:
    """What a product is made of, as text; of anything else that itself."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return _factors(node.left) | _factors(node.right)
    return {ast.unparse(node)}
