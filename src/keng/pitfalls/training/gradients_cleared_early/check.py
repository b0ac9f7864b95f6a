"""Source code: gradients are cleared between the backward and the step."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.pitfalls.training._shared import MICRO, beside, training_rounds
from keng.pitfalls.training.gradients_cleared_early.protocol import ClearedInAccumulation
from keng.rules import finds
from keng.source import Act, Code, Step
from keng.source.execution.events import Did
from keng.source.loops import Round
from keng.source.tree import LOOPS


@finds(mentions=["zero_grad"])
def cleared_before_step(code: Code) -> Hits:
    for call, name in _cleared_before_step(code):
        yield code.hit(call, say("cleared-before-step", optimizer=name))


@finds(mentions=["zero_grad"])
def cleared_between_steps(code: Code) -> Hits:
    for call, name, every in _cleared_between_steps(code):
        yield code.hit(call, say("cleared-each-round", optimizer=name, every=every))


@finds(mentions=["zero_grad"])
def cleared_in_each_call(code: Code) -> Hits:
    """A function goes backward on one micro-batch and steps under a condition, and clears without it."""
    reported = {call for call, _, _ in _cleared_between_steps(code)}
    for clear in code.calls.method_calls("zero_grad"):
        statement = code.statement(clear)
        function = code.tree.enclosing_function(clear)
        if function is None or clear in reported or code.around(clear, *LOOPS) is not None:
            continue
        _, behind = code.flow.siblings(statement, code.tree.parent[statement])
        name = ast.unparse(code.tree.receiver(clear))
        every = _stepped_now_and_then(code, behind, name)
        if every and statement is not function.body[-1]:
            yield code.hit(clear, say("cleared-each-round", optimizer=name, every=every))


@finds(mentions=["zero_grad"])
def cleared_by_execution(code: Code) -> Hits:
    """As the file runs: clearing, backward and the step of every k-th micro-batch in several methods."""
    if not any(_counts_micro_batches(code, call) for call in code.calls.method_calls("step")):
        return  # before anything is followed
    steps = [each for each in code.execution.events if each.did is Did.STEP]
    counted = any(code.execution.counts(test) for each in steps for test in each.path)
    for optimizer in code.execution.optimizers() if counted else ():
        rule = code.execution.watched(ClearedInAccumulation(code.execution, optimizer))
        if not rule.found:
            continue
        clear, step = rule.found[0]
        if step.tree is not code.tree or not _counts_micro_batches(code, step.node):
            continue
        shown = [*cleared_between_steps(code), *cleared_in_each_call(code)]
        if not code.execution.is_shown(clear.place, shown):
            name = code.execution.named(clear) or "the optimizer"
            line = code.tree.position(step.place)[0]
            yield code.hit(clear.place, say("cleared-in-accumulation", optimizer=name, line=line))


def _counts_micro_batches(code: Code, step: ast.AST) -> bool:
    """Whether a step is under a condition that ends so many micro-batches."""
    above = code.around(step, ast.If)
    if above is None:
        return False
    return _every_round(code, step) is not None or bool(_counted(code, above.test))


def _stepped_now_and_then(code: Code, behind: list[ast.stmt], optimizer: str) -> str:
    """The number of micro-batches, as text, where statements go backward and then step every k-th time."""
    backward = False
    for statement in behind:
        calls = list(code.below(statement, ast.Call))
        names = {code.calls.attribute_name(call.func) for call in calls}
        if isinstance(statement, ast.If) and backward and not statement.orelse:
            every, steps = _counted(code, statement.test), [*filter(_is_step, calls)]
            if every and any(optimizer in ast.unparse(step) for step in steps):
                return every
        if any(map(_is_step, calls)) or names & {"zero_grad"}:
            return ""
        backward = backward or "backward" in names
    return ""


def _is_step(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "step"


def _counted(code: Code, test: ast.expr) -> str:
    """The `k` of `i % k == 0`, written as a test or given to a name, where it counts micro-batches."""
    value = code.flow.assigned_value(test) or test
    match value:
        case ast.Compare(left=ast.BinOp(op=ast.Mod(), right=k), ops=[ast.Eq()]):
            return ast.unparse(k) if MICRO.search(ast.unparse(k)) else ""
    return ""


def _cleared_before_step(code: Code) -> Iterator[tuple[ast.Call, str]]:
    """Calls that clear what a round has gone backward for, with the one optimizer that is then to
    step."""
    for block in _blocks_that_clear(code):
        step = block.all(Act.STEP)[0]
        for clear, call, name in _clearing(code, block, step):
            before, after = beside(clear, block, Act.BACKWARD, Act.STEP)
            between = (before.act, after.act) == (Act.BACKWARD, Act.STEP)
            if between and code.flow.always_before(call, step.call):
                yield call, name


def _cleared_between_steps(code: Code) -> Iterator[tuple[ast.Call, str, str]]:
    """Calls that clear gradients in every round, where the one optimizer steps in every k-th alone:
    with that, and with k."""
    for block in _blocks_that_clear(code):
        step, backwards = block.all(Act.STEP)[0], block.own(Act.BACKWARD)
        every = _every_round(code, step.call) if step.reached_by is step.call else None
        if every is None or len(backwards) != 1 or len(block.all(Act.BACKWARD)) != 1:
            continue
        for _, call, name in _clearing(code, block, step):
            places = {code.tree.parent[code.statement(n)] for n in (call, backwards[0].call)}
            if places == {code.tree.parent[every[0]]}:
                yield call, name, every[1]


def _blocks_that_clear(code: Code) -> Iterator[Round]:
    """Blocks that train by one step of one optimizer, and leave the gradients to it and autograd."""
    for block in training_rounds(code) if "zero_grad" in code.calls.calls_by_name else ():
        touched = any(a.attr == "grad" for a in code.below(block.block, ast.Attribute))
        if not touched and len(block.all(Act.STEP)) == 1 and not block.has(Act.UNKNOWN):
            yield block


def _clearing(code: Code, block: Round, step: Step) -> Iterator[tuple[Step, ast.Call, str]]:
    """The `zero_grad()` in a block of what takes a step there, and the name of that."""
    name = _stepped(step)
    for clear in block.own(Act.ZERO_GRAD):
        match clear.call:
            case ast.Call(func=ast.Attribute(value=of, attr="zero_grad")) as call:
                if name and ast.unparse(of) in (name, *code.loops.models_stepped(step)):
                    yield clear, call, name


def _every_round(code: Code, node: ast.AST) -> tuple[ast.If, str] | None:
    """The `if (i + 1) % k == 0` that a node is under, or another that ends k rounds, and k."""
    above = code.around(node, ast.If)
    match above:
        case ast.If(
            test=ast.Compare(
                left=ast.BinOp(left=count, op=ast.Mod(), right=k),
                ops=[ast.Eq()],
                comparators=[rest],
            )
        ):
            first = isinstance(rest, ast.Constant) and rest.value == 0
            ends = isinstance(count, ast.BinOp) or not first or MICRO.search(ast.unparse(k))
            if ends and code.flow.field_of(node, above) == "body":
                return above, ast.unparse(k)
    return None


def _stepped(step: Step) -> str:
    """The optimizer of a step, as text: `optimizer.step()`, `scaler.step(optimizer)`."""
    match step.call:
        case ast.Call(func=ast.Attribute(value=of), args=given):
            return ast.unparse(given[0] if given else of)
    return ""
