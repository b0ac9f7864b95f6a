"""Source code: a part that is not being trained gets gradients all the same."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import cast

from keng.model import Fix, Hits, say
from keng.pitfalls.autograd._shared import made_from, retains
from keng.rules import finds
from keng.source import Act, Code, Definition, Grad, Kind, Loop
from keng.source.loops import LoopNode, Round
from keng.source.names import Binding
from keng.source.tree import LOOPS, Function
from keng.source.types.kinds import MODULES

TURNS_OFF = re.compile(r"(?:requires|toggle|set)_grad\w*\b.*\bFalse|(?<!un)freez", re.DOTALL)
"""In the text of a statement."""
CUTS = frozenset({"detach", "detach_", "data"})
FREEZES = ("requires_grad", "no_grad", "inference_mode", "detach")


@finds(fixes=True)
def backward_into_the_other(code: Code) -> Hits:
    for given, first, second in _leaks_between_models(code):
        fix = Fix(say("cut-graph"), (code.edits.append(given, ".detach()"),))
        says = say("backward-goes-on-through", first=second, first_2=first)
        yield code.hit(given, says, fix=fix)


@finds
def backward_through_what_does_not_learn(code: Code) -> Hits:
    for call, name in _recorded_bystanders(code):
        yield code.hit(call, say("through-bystander", name=name))


def _leaks_between_models(code: Code) -> Iterator[tuple[ast.expr, str, str]]:
    """What one model gives to another with its graph, where the backward that follows is for the
    other's optimizer alone: the expression, the first model and the second."""
    for loop in code.loops.training:
        steps = list(code.loops.optimizer_steps(loop))
        for call in code.below(loop.node, ast.Call):
            given = call.args[0] if len(call.args) == 1 else None
            first = _model_that_made(code, given, loop)
            second = ast.unparse(call.func)
            if first is None or given is None or code.types.kind_of(call.func) is not Kind.MODULE:
                continue
            if first != second and _steps_alone(code, second, first, call, loop, steps):
                yield given, first, second


def _model_that_made(code: Code, given: ast.expr | None, loop: Loop) -> str | None:
    """The model whose output, with its graph, a name was given in the same round."""
    if not isinstance(given, ast.Name) or code.modes.grad_at(given) is not Grad.ON:
        return None
    value = code.flow.assigned_value(given)
    if not isinstance(value, ast.Call) or not code.within(value, loop.node):
        return None
    model = ast.unparse(value.func)
    made = code.types.kind_of(value.func) is Kind.MODULE and code.modes.grad_at(value) is Grad.ON
    return model if made and not _turned_off(code, model, value, loop) else None


def _turned_off(code: Code, model: str, call: ast.Call, loop: Loop) -> bool:
    """Whether a round turns the gradients of a model off before it calls it, by itself or by a function
    that is named after that or does it."""
    before = [s for s in code.below(loop.node, ast.Expr, ast.For) if s.lineno < call.lineno]
    off = [s for s in before if TURNS_OFF.search(ast.unparse(s)) or _switches(code, s)]
    return any(
        isinstance(n, ast.expr) and ast.unparse(n) == model for s in off for n in ast.walk(s)
    )


def _switches(code: Code, statement: ast.AST) -> bool:
    """Whether it gives False to a function that sets `requires_grad`."""
    call = getattr(statement, "value", None)
    made = code.types.definition(call.func) if isinstance(call, ast.Call) else None
    if made is None or "False" not in ast.unparse(statement):
        return False
    return "requires_grad" in made.tree.text_of(made.node)


def _steps_alone(
    code: Code,
    second: str,
    first: str,
    call: ast.Call,
    loop: Loop,
    steps: list[tuple[ast.Call, str, ast.Call]],
) -> bool:
    """Whether one backward follows a call, and then a step of the second model's optimizer and none
    of the first's, though the first has one of its own."""
    here = code.tree.position(call)
    backwards = [s.call for s in loop.all(Act.BACKWARD) if code.tree.position(s.call) > here]
    if not backwards or not isinstance(backwards[0], ast.Call) or retains(code, backwards[0]):
        return False
    until = code.tree.position(backwards[1]) if len(backwards) > 1 else (10**9, 0)
    between = [
        m for c, _, m in steps if code.tree.position(backwards[0]) < code.tree.position(c) < until
    ]
    texts = {ast.unparse(maker.args[0]) for maker in between}
    owners = {
        ast.unparse(c.args[0])
        for c in code.of(ast.Call)
        if c.args and code.types.value_of(c).kind is Kind.OPTIMIZER
    }
    return texts == {f"{second}.parameters()"} and f"{first}.parameters()" in owners


def _recorded_bystanders(code: Code) -> Iterator[tuple[ast.Call, str]]:
    """Calls, with a graph, of models that no optimizer takes and nothing freezes, whose result enters
    a loss that goes backward in the same function: such that copy the weights of another, and such
    that are in eval mode and get the batches of the loop. The call and the model."""
    if not code.trees.files.contains(b"backward", code.path) or code.names.uses_framework():
        return
    copies, teachers = code.modes.copied_models(), _teachers(code)
    lasts = {name.rpartition(".")[2] for name in copies | teachers}
    for call in code.of(ast.Call) if lasts else ():
        function = call.func
        last = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if last and last not in lasts:
            continue
        name = ast.unparse(function)
        if name not in copies and not (name in teachers and _gets_batch(code, call)):
            continue
        recorded = (
            code.types.kind_of(call.func) is Kind.MODULE and code.modes.grad_at(call) is Grad.ON
        )
        enters = recorded and _enters_loss(code, call) and _others_called(code, call)
        if enters and not _may_be_frozen(code, call.func):
            yield call, name


def _others_called(code: Code, call: ast.Call) -> bool:
    """Whether the body that calls a model calls another one: else the loss is that of the first."""
    body, name = code.tree.enclosing_body(call), ast.unparse(call.func)
    called = [c.func for c in code.below(body, ast.Call)]
    return any(code.types.kind_of(f) is Kind.MODULE and ast.unparse(f) != name for f in called)


def _teachers(code: Code) -> set[str]:
    """The models, as text, that are in eval mode or loaded, and never in training mode."""
    trained = {ast.unparse(code.tree.receiver(c)) for c in code.calls.method_calls("train")}
    evaluated = {ast.unparse(code.tree.receiver(c)) for c in code.calls.method_calls("eval")}
    return evaluated - trained | _loaded(code) - trained


def _loaded(code: Code) -> set[str]:
    """The models, as text, whose weights come from a file as they are."""
    loads = [c for c in code.calls.method_calls("load_state_dict") if len(c.args) == 1]
    read = [c for c in loads if isinstance(c.args[0], ast.Call)]
    return {
        ast.unparse(code.tree.receiver(c))
        for c in read
        if code.names.resolve(getattr(c.args[0], "func", None)) == "torch.load"
    }


def _gets_batch(code: Code, call: ast.Call) -> bool:
    """Whether a model is given what the training loop around it goes through."""
    loop = code.around(call, *LOOPS)
    if not isinstance(loop, ast.For) or len(call.args) != 1:
        return False
    return any(b.how == "for" and code.within(b.node, loop) for b in _unmoved(code, call.args[0]))


def _unmoved(code: Code, node: ast.expr, depth: int = 2) -> Iterator[Binding]:
    """What binds a name, or binds what was moved to give it its value: `x = x.to(device)`."""
    for binding in (
        code.flow.reaching_definitions(node) if isinstance(node, ast.Name) and depth else ()
    ):
        value, path = binding.value, binding.path
        if path and isinstance(value, ast.Tuple) and path[0] < len(value.elts):
            value, path = value.elts[path[0]], path[1:]
        match value:
            case ast.Call(func=ast.Attribute(attr="to" | "cuda", value=inner)) if not path:
                yield from _unmoved(code, inner, depth - 1)
            case _:
                yield binding


def _may_be_frozen(code: Code, model: ast.expr, depth: int = 3) -> bool:
    """Whether a model may be frozen, optimized or handed on, as far as the file, its class and those
    that call with it tell."""
    name, made = ast.unparse(model), code.types.value_of(model).definition
    if not depth or _frozen_by_callers(code, model, depth - 1) or _part_of_module(code, model):
        return True
    if made is None and not code.types.value_of(model).dotted.startswith("torch.nn."):
        return True
    if made is not None and _speaks_of_freezing(made):
        return True
    for call in code.calls.method_calls("requires_grad_"):
        receiver = code.tree.receiver(call)
        same = code.types.value_of(receiver).call is code.types.value_of(model).call
        if same or ast.unparse(receiver) == name:
            return True
    for call in code.of(ast.Call):
        if isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == name:
            if call.func.attr.endswith("parameters") and not _only_copied(code, call):
                return True
        elif any(ast.unparse(a) == name for a in call.args):
            function = code.types.definition(call.func)
            if function is None or _speaks_of_freezing(function):
                return True
    return False


def _frozen_by_callers(code: Code, model: ast.expr, depth: int) -> bool:
    """Whether a model is an argument that nobody is seen to give, or that is frozen where it is."""
    for binding in code.flow.reaching_definitions(model) if isinstance(model, ast.Name) else ():
        function = code.tree.enclosing_function(binding.node)
        if binding.how != "argument" or function is None:
            continue
        calls = code.types.callers(function)
        given = [
            (tree, code.calls.of(tree).bound_argument(call, function, binding.name))
            for tree, call in calls
        ]
        if not given or any(g is None or _may_be_frozen(code.at(c), g, depth) for c, g in given):
            return True
    return False


def _part_of_module(code: Code, model: ast.expr) -> bool:
    """Whether a model is an attribute of a module, whose parameters it shares."""
    owner = code.classes.self_class(model.value) if isinstance(model, ast.Attribute) else None
    return owner is not None and code.types.kind_of_class(owner) in MODULES


def _only_copied(code: Code, parameters: ast.Call) -> bool:
    """Whether parameters are iterated by a loop in which nothing freezes them."""
    loop = code.around(parameters, ast.For)
    inside = loop is not None and code.within(parameters, loop.iter)
    return inside and loop is not None and not list(code.modes.grad_switches(loop))


def _enters_loss(code: Code, call: ast.Call) -> bool:
    """Whether a backward of the same function goes through what a call gives, then a step is taken,
    and nothing cuts a graph on the way."""
    block = code.tree.enclosing_function(call) or code.around(call, *LOOPS)
    if block is None or not code.loops.may_go_backward(block):
        return False
    steps = Round(code.loops, cast("LoopNode | Function", block))
    backwards = [s.call for s in steps.own(Act.BACKWARD) if isinstance(s.call, ast.Call)]
    lost = [name for backward in backwards for name in code.graph.backward_losses(backward)]
    made = {code.statement(b.node) for name in lost for b, _ in made_from(code, name, 6)}
    shown = {name.id for name in lost}
    cut = [
        each
        for each in code.below(block, ast.Attribute)
        if each.attr in CUTS and ast.unparse(each.value) not in shown
    ]
    return steps.has(Act.STEP) and code.statement(call) in made and not cut


def _speaks_of_freezing(found: Definition) -> bool:
    text = found.tree.text_of(found.node)
    return any(word in text for word in FREEZES)
