"""Error messages: the loss hangs on nothing that learns."""

from __future__ import annotations

import ast
import re

from keng.explain.failure import Failure
from keng.model import Fix, Hits, say
from keng.pitfalls.autograd._shared import graph_ends, losses_of_line
from keng.pitfalls.autograd._shared_explain import text_around
from keng.rules import explains
from keng.source import Code, Definition, Grad
from keng.source.tree import Tree

MOST_BINDINGS = 50
GRAD = "torch.autograd.grad"

CAUSES = (
    "gradients are off, all parameters are frozen, or an operation such as argmax, detach() or "
    "torch.tensor() ended"
)
CHECKPOINTS = re.compile(
    r"use_checkpoint|(?:gradient|activation)[_ -]?checkpoint|utils[./]checkpoint",
    re.IGNORECASE,
)
ADAPTS = re.compile(
    r"\b(?:lora|qlora|peft|adapters?)\b|/peft/|/transformers/trainer", re.IGNORECASE
)
INPUTS_LEARN = "model.enable_input_require_grads(), or use_reentrant=False"
A_NUMBER = re.compile(r"^\s*[a-z]\d?\.backward\(")
MODEL = r"(?P<model>(?:self\.)?(?:my_?)?(?:model|net|network)(?:_ft)?)"
FREEZES = re.compile(
    rf"^\s{{0,20}}for \w+(?:, ?\w+)? in {MODEL}\.(?:named_)?parameters\(\):\s{{1,80}}"
    r"\w+\.(?:requires_grad = False|requires_grad_\(False\))(?P<rest>.{0,4000})",
    re.MULTILINE | re.DOTALL,
)
"""A loop over all parameters of the model that is to be trained."""
THAWS = re.compile(r"requires_grad = True|requires_grad_\((?:True)?\)|\.\w+ = (?:nn\.)?[A-Z]\w+\(")


@explains("nothing-to-go-back-through")
def nothing_to_go_back_through(failure: Failure) -> Hits:
    live = failure.live.not_learning
    if live is not None and live.frozen and not live.grad_disabled:
        names = " and ".join(f"all {n} parameters of `{name}`" for name, n in live.frozen.items())
        line = failure.ask_line(_line_that_freezes)
        by = f", turned off on line {line}" if line else ""
        yield failure.hit(f"nothing learns: {names} have requires_grad=False{by}; leave some on")
        return
    if (before := failure.ask_line(_differentiated_before)) is not None:
        text, call, fix = before
        says = f"`{text}` is a gradient, made on line {call.lineno} without a graph of its own"
        yield failure.hit(f"{says}: create_graph=True there", fix)
        return
    if whole := _frozen_whole(failure):
        yield failure.hit(say("nothing-learns-all-parameters", model=whole))
        return
    code, line = failure.code, failure.place.line if failure.place else 0
    losses = losses_of_line(code, line) if code is not None else []
    if code is None or not losses:
        yield failure.hit(_hangs_on_nothing(failure))
        return
    loss = losses[0]
    ends = graph_ends(code, loss)
    off, silenced = _unrecorded(code, loss), _silenced(code, loss)
    if off is None and silenced is not None:
        told, decorator = silenced
        why = f"`{told.name}`, which it is computed by, records none: `@{told.tree.text_of(decorator)}`"
        says = f"`{loss.id}` hangs on nothing that learns: {why}"
        yield failure.hit(says, where=told.tree.span(decorator))
        return
    if off is not None:
        why = f"`{code.text_of(off)}` is computed on line {code.tree.line_of(off)}, where gradients are off"
    elif ends:
        why = f"`{code.text_of(ends[0])}` on line {ends[0].lineno} ends its graph"
    else:
        why = f"{CAUSES} its graph"
    yield failure.hit(f"`{loss.id}` hangs on nothing that learns: {why}")


def _line_that_freezes(code: Code, line: int) -> int | None:
    """The one line of the file that turns requires_grad off."""
    frozen = _frozen_at(code)
    return code.tree.line_of(frozen[0]) if len(frozen) == 1 else None


def _unrecorded(code: Code, loss: ast.Name) -> ast.AST | None:
    """The nearest binding, of a loss or of what it is computed from, that stands where gradients are
    off."""
    todo, seen = [loss], set[ast.AST]()
    while todo and len(seen) < MOST_BINDINGS:
        for binding in code.flow.reaching_definitions(todo.pop(0)):
            if binding.node in seen:
                continue
            if code.modes.grad_at(binding.node) is Grad.OFF:
                return binding.node
            seen.add(binding.node)
            value = binding.value
            todo += [n for n in ast.walk(value) if isinstance(n, ast.Name)] if value else []
    return None


def _silenced(code: Code, loss: ast.Name) -> tuple[Definition, ast.expr] | None:
    """The nearest function that a loss is computed by and whose decorator turns gradients off, and this
    decorator."""
    values = [
        binding.value
        for binding in code.flow.reaching_definitions(loss)
        if binding.value is not None
    ]
    todo: list[tuple[Tree, ast.expr]] = [(code.tree, value) for value in values]
    seen = set[ast.AST]()
    while todo and len(seen) < MOST_BINDINGS:
        tree, value = todo.pop(0)
        for call in (n for n in ast.walk(value) if isinstance(n, ast.Call)):
            told = code.types.of(tree).resolve_function(call)
            if told is None or told.node in seen:
                continue
            seen.add(told.node)
            off = [
                d
                for d in told.node.decorator_list
                if code.modes.of(told.tree).grad_mode_set_by(d) is Grad.OFF
            ]
            if off:
                return told, off[0]
            todo += [(told.tree, each) for each in _returned(code.at(told.tree), told.node)]
    return None


def _returned(code: Code, function: ast.AST) -> list[ast.expr]:
    """What a function returns, and the values of the names in that."""
    found = [r.value for r in code.below(function, ast.Return) if r.value is not None]
    names = [n for value in found for n in ast.walk(value) if isinstance(n, ast.Name)]
    bound = [
        b.value
        for name in names
        for b in code.flow.reaching_definitions(name)
        if b.value is not None
    ]
    return [*found, *bound]


def _frozen_at(code: Code) -> list[ast.AST]:
    """Where the file turns `requires_grad` off."""
    sets = [(a, a.value) for a in code.of(ast.Assign) if "requires_grad" in code.text_of(a)]
    calls = [(c, c.args[0]) for c in code.calls.method_calls("requires_grad_") if c.args]
    return [node for node, value in (*sets, *calls) if code.text_of(value) == "False"]


def _differentiated_before(code: Code, line: int) -> tuple[str, ast.Call, Fix] | None:
    """What a line differentiates, where that comes from a gradient without a graph: its text, the call
    that made it, and a fix that asks for the graph."""
    for call in code.tree.on_line(line, ast.Call):
        given = call.args[0] if code.names.resolve(call.func) == GRAD and call.args else None
        if isinstance(call.func, ast.Attribute) and call.func.attr == "backward":
            given = call.func.value
        made = _gradients_in(code, given, {call}) if given is not None else set()
        one = made.pop() if len(made) == 1 else None
        if one is not None and given is not None:
            fix = code.edits.add_argument(one, "create_graph=True", "Keep a graph of it", "shown")
            return code.text_of(given), one, fix
    return None


def _gradients_in(code: Code, node: ast.expr | None, seen: set[ast.AST]) -> set[ast.Call]:
    """The calls of `autograd.grad` without a graph that a value was made with."""
    found: set[ast.Call] = set()
    names = [n for n in ast.walk(node) if isinstance(n, ast.Name)] if node is not None else []
    calls = [n for n in ast.walk(node) if isinstance(n, ast.Call)] if node is not None else []
    for call in calls:
        if code.names.resolve(call.func) == GRAD:
            return {call} if code.calls.argument(call, "create_graph", 4) is None else set()
        function = code.types.resolve_function(call)
        if function is not None and function.tree is code.tree and function.node not in seen:
            for returned in code.tree.returns(function.node):
                found |= _gradients_in(code, returned, seen | {function.node})
    for binding in [b for name in names for b in code.flow.reaching_definitions(name)]:
        if binding.how == "assign" and binding.node not in seen:
            found |= _gradients_in(code, binding.value, seen | {binding.node})
        elif isinstance(binding.node, ast.arg) and binding.node not in seen:
            for tree, value in code.types.argument_values(binding.node):
                if tree is code.tree:
                    found |= _gradients_in(code, value, seen | {binding.node})
    return found


def _frozen_whole(failure: Failure) -> str:
    """The model of which the code beside an error freezes all parameters, and none is set free behind."""
    found = FREEZES.search(text_around(failure))
    return found["model"] if found is not None and not THAWS.search(found["rest"]) else ""


def _hangs_on_nothing(failure: Failure) -> str:
    """Where the code does not tell why nothing was recorded."""
    lines = (f"{frame.posix} {frame.text}" for frame in failure.frames)
    shown = (failure.context, failure.message, failure.surrounding, *lines)
    says = "the loss hangs on nothing that learns"
    if any(map(CHECKPOINTS.search, shown)):
        cause = "gradient checkpointing records nothing behind frozen layers"
        return f"{says}: {cause}: {INPUTS_LEARN}"
    if any(map(ADAPTS.search, shown)):
        cause = "all is frozen, as an adapter loaded without is_trainable=True"
        return f"{says}: {cause}, or gradient checkpointing of a frozen model wants {INPUTS_LEARN}"
    if A_NUMBER.search(failure.line):
        return (
            "nothing that this was computed of asks for gradients: "
            "x = torch.tensor(2.0, requires_grad=True) before"
        )
    if "autograd.grad(" in failure.line:
        return f"{says}: x.requires_grad_() of what it is derived by, before anything is computed of it"
    return f"{says}: {CAUSES} its graph; loss.requires_grad_() only hides it"
