"""Source code: after an evaluation the model is still in eval mode while it trains."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits, say
from keng.pitfalls.training._shared import called_model
from keng.pitfalls.training._shared_execution import (
    called,
    layers_by_mode,
    loses_layers_by_mode,
    switched_models,
)
from keng.pitfalls.training.train_mode_not_restored.protocol import TrainedInEval
from keng.rules import finds
from keng.source import Act, Code, Kind, Loop, Step
from keng.source.tree import LOOPS, names_in


@finds(fixes=True)
def trained_in_eval_mode(code: Code) -> Hits:
    for loop in code.loops.training if not code.names.uses_framework() else ():
        for step in _learned_from(code, loop):
            model, where = called_model(code, step), _left_in_eval(code, step)
            layers = (
                code.modes.mode_dependent_layers(model) if model is not None and where else None
            )
            if where is None or model is None or (layers is not None and not layers):
                continue
            name, line = code.text_of(model), code.tree.line_of(where)
            says = say("left-in-eval", name=name, line=line)
            assert isinstance(step.call, ast.Call), "a model is called"
            fix = _switched_before(code, model, step.call, where)
            yield code.hit(step.call, says, fix=fix, sure=bool(layers))
            break


@finds(mentions=["eval"])
def trained_in_eval_by_execution(code: Code) -> Hits:
    """As the file runs: switched in a function or method that an evaluation is, and trained in another."""
    for model in switched_models(code) if not code.names.uses_framework() else ():
        found = code.execution.watched(TrainedInEval(code.execution, model)).found
        layers = layers_by_mode(code, model) if found else set()  # None: it may be any model
        if not found or (layers is not None and not layers) or loses_layers_by_mode(code, model):
            continue
        forward, switch = found[0]
        if not code.execution.is_shown(forward.place, trained_in_eval_mode(code)):
            name = called(code, forward) or "the model"
            says = say("left-in-eval", name=name, line=code.tree.position(switch.place)[0])
            yield code.hit(forward.place, says)


def _switched_before(code: Code, model: ast.expr, forward: ast.Call, left: ast.Call) -> Fix | None:
    """A fix that switches the model to training mode before the loop that trains it, or in each round
    of it where that is what leaves the model in eval mode."""
    loop = code.around(forward, *LOOPS)
    apart = loop is not None and code.tree.enclosing_body(loop) is code.tree.enclosing_body(forward)
    if (
        loop is None
        or not apart
        or code.within(left, loop)
        or names_in(model) & code.tree.bound_in(loop)
    ):
        loop = None
    name = code.text_of(model)
    edit = code.edits.new_line_before(loop or forward, f"{name}.train()")
    return Fix(say("call-train-before", name=name), (edit,)) if edit else None


def _learned_from(code: Code, loop: Loop) -> list[Step]:
    """Of the forward steps of a loop those that it may go backward on: its first, or those of the
    functions that it calls which go backward themselves."""
    homes = {s.tree.enclosing_function(s.call) for s in loop.all(Act.BACKWARD)}
    forwards = loop.all(Act.FORWARD)
    inside = [s for s in forwards if s.tree.enclosing_function(s.call) in homes]
    return loop.own(Act.FORWARD)[:1] or inside or forwards[:1]


def _left_in_eval(code: Code, step: Step) -> ast.Call | None:
    """The call that leaves the model of a forward step in eval mode at the end of a round of one of
    the loops around, where nothing in that round switches it to training mode before the step."""
    model = called_model(code, step)
    text = ast.unparse(model) if model is not None else ""
    if text and step.reached_by is not step.call:
        text = _on_same_object(code, step, text)
    if not text:
        return None
    return _left_by_rounds(code, text, step.reached_by, depth=2)


def _left_by_rounds(code: Code, model: str, at: ast.AST, depth: int) -> ast.Call | None:
    """The same of a model, as text, and a node where it is trained; where the loops around that say
    nothing, of the place that calls the function with the model."""
    here, scope = code.tree.position(at), code.tree.enclosing_function(at)
    for loop in [a for a in code.tree.ancestors(at) if isinstance(a, LOOPS)]:
        if code.tree.enclosing_function(loop) is not scope or _is_created_in(
            code, model, loop, here
        ):
            break
        calls = [c for c in code.below(loop, ast.Call) if code.tree.enclosing_function(c) is scope]
        modes = [(c, mode) for c in calls if (mode := code.modes.mode_after(c, model, 2))]
        before = [(c, mode) for c, mode in modes if code.tree.position(c) < here]
        if before:
            return before[-1][0] if _evaluated_by(code, *before[-1], at) else None
        if modes and modes[-1][1] == "eval" and not _leaves(code, modes[-1][0], loop):
            return modes[-1][0]
    if scope is None or not depth or code.modes.last_mode(model, scope, at, 2):
        return None
    calls_of = [call for tree, call in code.types.callers(scope) if tree is code.tree]
    given = code.calls.bound_argument(calls_of[0], scope, model) if len(calls_of) == 1 else None
    return _left_by_rounds(code, ast.unparse(given), calls_of[0], depth - 1) if given else None


def _is_created_in(code: Code, model: str, loop: ast.AST, here: tuple[int, int]) -> bool:
    """Whether each round of a loop starts with another model of that name, in training mode."""
    return any(
        isinstance(assigned.value, ast.Call)
        and model in map(ast.unparse, assigned.targets)
        and code.tree.position(assigned) < here
        and code.types.value_of(assigned.targets[0]).kind is Kind.MODULE
        and not ast.unparse(assigned.value).startswith(f"{model}.")
        for assigned in code.below(loop, ast.Assign)
    )


def _on_same_object(code: Code, step: Step, model: str) -> str:
    """A model, as text, where a loop calls a method of the object that has it, which trains it and
    leaves its mode as it is; "" where that is not so."""
    match step.reached_by:
        case ast.Call(func=ast.Attribute(value=ast.Name() as owner)) as via:
            made = code.types.value_of(owner).definition
            owned_by = code.classes.self_class(owner) or (made.node if made is not None else None)
            root, _, part = model.partition(".")
            names = [n for n in ast.walk(step.call) if isinstance(n, ast.Name) and n.id == root]
            if part and owned_by is not None and code.classes.self_class(names[0]) is owned_by:
                named = f"{owner.id}.{part}"
                return named if not code.modes.mode_after(via, named, 2) else ""
    return ""


def _evaluated_by(code: Code, call: ast.Call, mode: str, before: ast.AST) -> bool:
    """Whether a call before a step evaluates a model in a function of the project and leaves it so.
    An `eval()` in the loop itself may be meant for the step."""
    function = code.types.definition(call.func)
    if mode != "eval" or function is None or isinstance(function.node, ast.ClassDef):
        return False
    within = code.loops.of(function.tree).steps_of_function(function.node)
    forwards = [s for s in within if s.act is Act.FORWARD]
    return bool(forwards) and not code.flow.are_exclusive(call, before)


def _leaves(code: Code, node: ast.AST, loop: ast.AST) -> bool:
    """Whether the block of a node ends the loop."""
    for above in code.tree.ancestors(node):
        if above is loop:
            return False
        last = getattr(above, "body", [None])
        if isinstance(last, list) and isinstance(last[-1], (ast.Break, ast.Return)):
            return True
    return False
