"""Source code: gradients are never cleared between the steps."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Edit, Fix, Hits, Message, say
from keng.pitfalls.training._shared import blocks_around, holds, line_after, training_rounds
from keng.rules import finds
from keng.source import Act, Code, Kind, Loop, Step
from keng.source.code import once_per_file
from keng.source.loops import CLEARS, Round
from keng.source.tree import names_in

MOVES = (ast.Assign, ast.AugAssign, ast.Call)
MOVING = frozenset({"sub_", "add_", "copy_"})
GOING = (ast.For, ast.AsyncFor)
ALWAYS_ENTERED = (ast.With, ast.AsyncWith)
LONGEST_CALL = 40
"""Characters of a call that a sentence can quote."""


@finds(fixes=True)
def never_cleared(code: Code) -> Hits:
    for loop in code.loops.training:
        if loop.has(Act.ZERO_GRAD) or loop.has(Act.UNKNOWN):
            continue
        if (
            _cleared_around(code, loop)
            or _optimizer_is_new(code, loop)
            or _cleared_by_callbacks(code)
        ):
            continue
        backward = loop.all(Act.BACKWARD)[0]
        if _backward_named(code, backward) != "torch.distributed.autograd.backward":
            there, fix = code.at(backward.tree), _cleared_each_step(code, loop, backward)
            names = [_stepped(there, s) for s in loop.all(Act.STEP) if s.tree is backward.tree]
            yield there.hit(backward.call, _never_cleared(backward.call, names), fix=fix)
    for call in _manual_steps_uncleared(code):
        yield code.hit(call, _never_cleared(call, _stepped_behind(code, call)))


@finds(fixes=True, mentions=["grad"])
def moved_by_hand(code: Code) -> Hits:
    for loop, call, tensor in _moved_by_hand_uncleared(code):
        says = say("adds-gradient-moved-along", tensor=tensor)
        yield code.hit(call, says, fix=_emptied_after_moves(code, loop))


@finds(fixes=True, mentions=["zero_grad"])
def one_of_two_cleared(code: Code) -> Hits:
    for steps, step, name, other in _optimizers_not_cleared(code):
        says = say("steps-on-gradients-nothing", optimizer=name, other=other)
        edit = _clears(code, steps, step)
        title = say("clear-each-step", optimizer=name)
        yield code.hit(step.call, says, fix=Fix(title, (edit,)) if edit else None)


def _never_cleared(backward: ast.AST, names: list[str]) -> Message:
    """About a backward, with the optimizer that steps on its gradients, the first of those known."""
    line, name = ast.unparse(backward), next(filter(None, names), "")
    if not name or len(line) > LONGEST_CALL:
        return say("adds-gradients-no-ever")
    return say("adds-gradients-of-optimizer", call=line, optimizer=name)


def _stepped_behind(code: Code, backward: ast.Call) -> list[str]:
    """What has its `step()` called below a backward of the same function."""
    function = code.tree.enclosing_function(backward)
    calls = code.below(function, ast.Call) if function is not None else ()
    return [
        ast.unparse(call.func.value)
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and call.func.attr == "step"
        and call.lineno > backward.lineno
    ]


def _cleared_each_step(code: Code, loop: Loop, backward: Step) -> Fix | None:
    """A fix that clears the gradients of every optimizer of a loop, where all are known and are in
    the file of its backward."""
    there = code.at(backward.tree)
    steps = loop.all(Act.STEP)
    if any(step.tree is not backward.tree for step in steps):
        return None
    edits = [_clears(there, loop, step) for step in steps]
    known = [edit for edit in edits if edit is not None]
    if not known or len(known) < len(edits):
        return None
    title = say("clear-each-step", optimizer=_stepped(there, steps[0]))
    return Fix(title, tuple(dict.fromkeys(known)))


def _clears(code: Code, steps: Round, step: Step) -> Edit | None:
    """The edit that clears the gradients which a step takes: before the first backward since the
    last step of any optimizer, or after the step where that is not taken in every round."""
    optimizer, backward = _stepped(code, step), _first_backward(steps, step)
    if not optimizer or backward is None or backward.tree is not step.tree:
        return None
    text = f"{optimizer}.zero_grad()"
    here = {(id(above), field): each for each, above, field in blocks_around(code, step.call)}
    conditional = False
    for statement, above, field in blocks_around(code, backward.call):
        if (id(above), field) in here:
            conditional = not _always_taken(code, step.call, here[id(above), field])
            place = step.call if conditional else statement
            added = line_after if conditional else _line_before
            return added(code, place, text)
    return None


def _line_before(code: Code, node: ast.AST, text: str) -> Edit | None:
    return code.edits.new_line_before(node, text)


def _first_backward(steps: Round, step: Step) -> Step | None:
    """The first backward whose gradients a step takes and no step of an optimizer before it took."""
    found, taken = None, False
    for each in steps.steps:
        if each is step:
            break
        if each.act is Act.BACKWARD and (found is None or taken):
            found, taken = each, False
        taken = taken or each.act is Act.STEP
    return found


def _always_taken(code: Code, node: ast.AST, statement: ast.stmt) -> bool:
    """Whether a statement runs a node in it each time."""
    blocks = [above for each, above, _ in blocks_around(code, node)]
    within = [above for above in blocks if code.within(above, statement)]
    return all(isinstance(above, ALWAYS_ENTERED) for above in within)


def _stepped(code: Code, step: Step) -> str:
    """The optimizer, as text, that a step moves, by itself or by a scaler; "" where that is not known."""
    call = step.call
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return ""
    for each in (call.func.value, *call.args[:1]):
        if code.types.kind_of(each) is Kind.OPTIMIZER:
            return ast.unparse(each)
    return ""


def _emptied_after_moves(code: Code, loop: Loop) -> Fix | None:
    """A fix that empties each gradient after the move along it, where nothing reads one later."""
    moves = [(n, t) for n in code.below(loop.node, *MOVES) if (t := _moved(n)) is not None]
    if not moves:
        return None
    edits = [line_after(code, node, f"{ast.unparse(tensor)}.grad = None") for node, tensor in moves]
    own = {id(n) for node, _ in moves for n in ast.walk(node)}
    first = code.tree.position(moves[0][0])
    reads = [n for n in code.below(loop.node, ast.Attribute) if _is_gradient(n)]
    later = any(id(n) not in own and code.tree.position(n) > first for n in reads)
    known = [edit for edit in edits if edit is not None]
    if later or len(known) < len(edits):
        return None
    return Fix(say("empty-after-move", tensor=ast.unparse(moves[0][1])), tuple(known))


def _cleared_around(code: Code, loop: Loop) -> bool:
    """Whether a loop around this one clears gradients, and this one goes over something else
    than a loader, so that one clearing for all its rounds may be meant."""
    outer = [o for o in code.loops.all if o is not loop and code.within(loop.node, o.node)]
    return not loop.over_loader and any(o.has(Act.ZERO_GRAD) or o.has(Act.UNKNOWN) for o in outer)


@once_per_file
def _cleared_by_callbacks(code: Code) -> bool:
    """Whether a function of the file clears gradients that is called by a name which only the run knows,
    or as a method of what is not known."""
    clears = [c for c in code.of(ast.Call) if CLEARS.search(code.calls.attribute_name(c.func))]
    names = {function.name for c in clears if (function := code.tree.enclosing_function(c))}
    return any(_may_call(code, call.func, names) for call in code.of(ast.Call) if names)


def _may_call(code: Code, function: ast.expr, names: set[str]) -> bool:
    if isinstance(function, ast.Call):
        return code.names.resolve(function.func) == "builtins.getattr"
    unknown = isinstance(function, ast.Attribute) and code.types.definition(function) is None
    return unknown and code.calls.attribute_name(function) in names


def _optimizer_is_new(code: Code, loop: Loop) -> bool:
    """Whether each round of a loop makes its own optimizer."""
    return any(
        code.types.kind_of(call) is Kind.OPTIMIZER
        for call in code.below(loop.node, ast.Call)
        if code.names.resolve(call.func).startswith("torch.optim.")
    )


def _optimizers_not_cleared(code: Code) -> Iterator[tuple[Round, Step, str, str]]:
    """Steps of an optimizer whose gradients nothing clears, next to those of another one that the
    same round clears: the round, the step, the optimizer and the other one."""
    for steps in training_rounds(code) if "zero_grad" in code.calls.calls_by_name else ():
        clearing = steps.all(Act.ZERO_GRAD)
        cleared = {_cleared(code, step) for step in clearing}
        if not cleared or "" in cleared or steps.has(Act.UNKNOWN):
            continue
        held = [model for step in clearing for model in code.loops.models_stepped(step)]
        for step in steps.own(Act.STEP):
            name = _optimizer_named(code, step)
            mine = code.loops.models_stepped(step)
            shared = any(holds(one, other) for one in held for other in mine)
            if not name or name in cleared or not mine or shared:
                continue
            if not _cleared_elsewhere(code, name):
                yield steps, step, name, min(cleared)


def _cleared(code: Code, step: Step) -> str:
    """The optimizer that a step clears the gradients of, as text; "" where that is not told."""
    call = step.call
    if step.tree is not code.tree or not isinstance(call, ast.Call):
        return ""
    plain = isinstance(call.func, ast.Attribute) and call.func.attr == "zero_grad"
    return _optimizer_named(code, step) if plain else ""


def _optimizer_named(code: Code, step: Step) -> str:
    """The optimizer whose method a step calls, where it is one that this file makes."""
    call = step.call
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return ""
    made = code.types.value_of(call.func.value)
    known = made.kind is Kind.OPTIMIZER and made.call is not None
    return ast.unparse(call.func.value) if known and not call.args else ""


def _cleared_elsewhere(code: Code, name: str) -> bool:
    """Whether an optimizer of this name, or one that has no name, is cleared anywhere in the file."""
    last = name.rpartition(".")[2]
    for call in code.of(ast.Call):
        if CLEARS.search(code.calls.attribute_name(call.func)) and isinstance(
            call.func, ast.Attribute
        ):
            other = ast.unparse(call.func.value)
            known = code.types.kind_of(call.func.value) is Kind.OPTIMIZER
            if other.rpartition(".")[2] == last or not known:
                return True
    return False


def _manual_steps_uncleared(code: Code) -> Iterator[ast.Call]:
    """The backward of a `training_step` of Lightning that goes by hand, in a class that clears no
    gradients."""
    if not code.names.uses_framework():
        return
    for call in code.calls.method_calls("manual_backward"):
        owner, function = code.tree.enclosing_class(call), code.tree.enclosing_function(call)
        if owner is None or function is None or function.name != "training_step":
            continue
        calls = [code.calls.attribute_name(c.func) for c in code.below(owner, ast.Call)]
        if (
            "step" in calls
            and not any(map(CLEARS.search, calls))
            and not list(code.classes.bases(owner))
        ):
            yield call


def _moved_by_hand_uncleared(code: Code) -> Iterator[tuple[Loop, ast.Call, str]]:
    """The backward of a loop that moves a tensor along its gradient, by itself or in a function that it
    calls, and does nothing to gradients: the loop, the call, and the tensor as it is written there."""
    loops = code.loops.all if ".grad" in code.text else []
    for loop in loops:
        backwards = [s.call for s in loop.own(Act.BACKWARD)]
        if not backwards or any(inner.own(Act.BACKWARD) for inner in loop.inner):
            continue
        acts = (Act.STEP, Act.ZERO_GRAD, Act.UNKNOWN)
        if any(map(loop.has, acts)) or _cleared_around(code, loop):
            continue
        moved = list(_moved_in(code, loop))
        if moved and isinstance(backwards[0], ast.Call) and "" not in moved:
            yield loop, backwards[0], moved[0]


def _moved_in(code: Code, loop: Loop) -> Iterator[str]:
    """The tensors that a round moves, as text; "" for what may clear a gradient, or is new each time."""
    made = _made_in(loop.node)
    for node in code.below(loop.node, ast.Assign, ast.AugAssign, ast.Call):
        if _may_clear(node):
            yield ""
        elif tensor := _moved(node):
            yield "" if _names_of(code, tensor, loop) & made else ast.unparse(tensor)
        elif isinstance(node, ast.Call) and (function := code.types.definition(node.func)):
            inner = list(ast.walk(function.node))
            texts = [ast.unparse(tensor) for each in inner if (tensor := _moved(each))]
            if any(map(_may_clear, inner)) or (texts and _names_in(node) & made):
                yield ""
            else:
                yield from texts


def _names_of(code: Code, tensor: ast.expr, loop: Loop) -> set[str]:
    """The names that a tensor is reached by; for what a loop within this one goes through, those of
    that."""
    names = _names_in(tensor) | {ast.unparse(tensor)}
    for around in code.tree.ancestors(tensor):
        if around is loop.node:
            break
        if isinstance(around, GOING) and names & (targets := _names_in(around.target)):
            names = names - targets | _names_in(around.iter)
    return names


def _moved(node: ast.AST) -> ast.expr | None:
    """The tensor that a statement or call moves in place by what has its own gradient in it."""
    match node:
        case ast.AugAssign(target=tensor, op=ast.Add() | ast.Sub(), value=by):
            given: list[ast.expr] = [by]
        case ast.Assign(targets=[ast.Attribute(attr="data") as tensor], value=by):
            given = [by]
        case ast.Call(func=ast.Attribute(value=tensor, attr=method), args=given):
            if method not in MOVING:
                return None
        case _:
            return None
    if isinstance(tensor, ast.Attribute) and tensor.attr == "data":
        tensor = tensor.value
    own = f"{ast.unparse(tensor)}.grad"
    found = (n for each in given for n in ast.walk(each) if isinstance(n, ast.Attribute))
    return tensor if any(ast.unparse(each) == own for each in found) else None


def _may_clear(node: ast.AST) -> bool:
    """Whether anything is done to a gradient but to read it."""
    match node:
        case ast.Assign(targets=targets):
            return any(_is_gradient(n) for t in targets for n in ast.walk(t))
        case ast.AugAssign(target=target):
            return any(map(_is_gradient, ast.walk(target)))
        case ast.Call(func=ast.Name(id="print")):
            return False
        case ast.Call(func=ast.Name(), args=given):
            return any(map(_is_gradient, given))
        case ast.Call(func=ast.Attribute(value=owner, attr=method)) if method not in MOVING:
            given = [*node.args, owner]
            return method.endswith("_") and any(_is_gradient(n) for g in given for n in ast.walk(g))
    return False


def _is_gradient(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "grad"


def _names_in(node: ast.AST) -> set[str]:
    return names_in(node) - {"self"}


def _made_in(loop: ast.AST) -> set[str]:
    """What a round gives another value: names and attributes, as text."""
    inside = list(ast.walk(loop))
    targets = [n.target for n in inside if isinstance(n, GOING)]
    targets += [target for n in inside if isinstance(n, ast.Assign) for target in n.targets]
    stores = (n for target in targets for n in ast.walk(target))
    return {ast.unparse(n) for n in stores if isinstance(getattr(n, "ctx", None), ast.Store)}


def _backward_named(code: Code, step: Step) -> str:
    """The dotted name of what a step calls."""
    call = step.call
    return code.names.of(step.tree).resolve(call.func) if isinstance(call, ast.Call) else ""
