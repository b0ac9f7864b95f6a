"""Source code: a frozen part still changes through its batch statistics."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.pitfalls.training._shared import called_model
from keng.rules import finds
from keng.source import Act, Code, Definition, Grad, Kind, Loop
from keng.source.tree import member
from keng.source.types.kinds import MODULES


@finds
def frozen_and_still_in_training_mode(code: Code) -> Hits:
    for call in _frozen_forwards(code):
        norms = {
            name
            for name in code.modes.mode_dependent_layers(call.func) or ()
            if "BatchNorm" in name
        }
        if norms and code.modes.mode_at(call.func, call) in ("", "train"):
            yield code.hit(call, say("never-in-eval-mode", name=code.text_of(call.func)))


@finds(mentions=["train"])
def woken_with_the_whole(code: Code) -> Hits:
    for call, part, norms in _woken_backbones(code):
        says = say("frozen-wakes-batch-norm", part=part)
        yield code.hit(call, says, layers=", ".join(sorted(norms)))


@finds
def frozen_in_the_mode_it_was_made_in(code: Code) -> Hits:
    for where, part, norms in _frozen_as_made(code):
        says = say("frozen-training-mode-running", part=part)
        yield code.hit(where, says, layers=", ".join(sorted(norms)))


def _frozen_forwards(code: Code) -> Iterator[ast.Call]:
    """Calls, in training loops, of models that are not to learn there: frozen before, or called
    without gradients and never with them."""
    for loop in code.loops.training:
        calls = [c for c in code.below(loop.node, ast.Call) if _calls_model(code, c)]
        for call in calls:
            text = ast.unparse(call.func)
            if _touched(code, text):
                continue
            off = [code.modes.grad_at(c) is Grad.OFF for c in calls if ast.unparse(c.func) == text]
            if _frozen_before(code, text, loop) or all(off):
                yield call


def _calls_model(code: Code, call: ast.Call) -> bool:
    return code.types.kind_of(call.func) in MODULES and isinstance(
        call.func, (ast.Name, ast.Attribute)
    )


def _frozen_before(code: Code, text: str, loop: Loop) -> bool:
    """Whether all parameters of a model are frozen before a loop, in the same body."""
    body = code.tree.enclosing_body(loop.node)
    for call in code.calls.method_calls("requires_grad_"):
        frozen = bool(call.args) and code.flow.is_constant(call.args[0], False)
        here = code.tree.enclosing_body(call) is body and not code.within(call, loop.node)
        if ast.unparse(code.tree.receiver(call)) == text and frozen and here:
            return True
    return any(
        ast.unparse(each.iter).startswith(f"{text}.parameters(")
        and list(code.modes.grad_switches(each)) == [False]
        for each, _ in code.modes.parameter_loops()
        if code.tree.enclosing_body(each) is body and not code.within(each, loop.node)
    )


def _touched(code: Code, text: str) -> bool:
    """Whether a model is unfrozen, averaged, or optimized anywhere in the file."""
    for call in code.calls.method_calls("requires_grad_", "parameters", "state_dict"):
        if ast.unparse(code.tree.receiver(call)) != text:
            continue
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        freezes = any(
            each.iter is call and list(code.modes.grad_switches(each)) == [False]
            for each, _ in code.modes.parameter_loops()
        )
        if method == "requires_grad_" and call.args and code.flow.is_constant(call.args[0], False):
            continue
        if not freezes:
            return True
    return False


def _woken_backbones(code: Code) -> Iterator[tuple[ast.Call, str, set[str]]]:
    """Calls of `train()`, in training, on a model of the project that has a frozen part with batch
    norm, which they wake; the call, the part and its norms."""
    for call in code.calls.method_calls("train"):
        if call.args and not code.flow.is_constant(call.args[0], True):
            continue
        made, scope = code.types.value_of(code.tree.receiver(call)), code.tree.enclosing_body(call)
        if made.kind is not Kind.MODULE or made.definition is None:
            continue
        later = [
            c
            for c in code.calls.method_calls("eval", "apply")
            if code.tree.enclosing_body(c) is scope
        ]
        again = any(code.tree.position(c) > code.tree.position(call) for c in later)
        trains = any(code.tree.enclosing_body(loop.node) is scope for loop in code.loops.training)
        if trains and not again:
            tree = made.definition.tree
            parts = _frozen_parts(code.at(tree), made.definition)
            yield from ((call, part, norms) for _, part, norms in parts)


def _frozen_as_made(code: Code) -> Iterator[tuple[ast.AST, str, set[str]]]:
    """Where a module that is trained in this file freezes a part with batch norm, and nothing takes
    the module, or the part, out of the training mode that it is made in; the part and its norms.
    What copies another part may normalize by the batch as that does."""
    if any(True for _ in _woken_backbones(code)):
        return
    evaluated = {ast.unparse(code.tree.receiver(call)) for call in code.calls.method_calls("eval")}
    followers = code.modes.copied_models()
    trained = [Definition(code.tree, c) for c in code.of(ast.ClassDef) if _is_trained(code, c)]
    for model in trained:
        for where, part, norms in _frozen_parts(code, model):
            put = any(each.endswith(f".{part}") for each in evaluated)
            if not put and f"self.{part}" not in followers:
                yield where, part, norms


def _is_trained(code: Code, owner: ast.ClassDef) -> bool:
    """Whether a class is of a module that a loop of this file trains in the mode that it was made in,
    or a trainer of Lightning."""
    if code.names.uses_framework():
        return member(owner, ["training_step"]) is not None
    steps = [s for loop in code.loops.training for s in loop.all(Act.FORWARD)]
    for step in steps:
        model = called_model(code, step)
        made = code.types.value_of(model).definition
        if model is not None and made is not None and made.node is owner:
            return code.modes.mode_at(model, step.call) in ("", "train")
    return False


def _frozen_parts(code: Code, model: Definition) -> Iterator[tuple[ast.AST, str, set[str]]]:
    """The parts of a module of this file that its constructor freezes whole, with the batch norms in
    them, where the class neither overrides `train` nor puts anything in eval mode; and where."""
    owner = model.node
    if not isinstance(owner, ast.ClassDef) or code.classes.method(model, "train") is not None:
        return
    if any(each.attr == "eval" for each in code.below(owner, ast.Attribute)):
        return
    for name, given in code.classes.attributes(owner).items():
        layers = [
            code.modes.mode_dependent_layers(value) for value, path in given if value and not path
        ]
        norms = {layer for known in layers for layer in known or () if "BatchNorm" in layer}
        frozen = _frozen_whole(code, owner, f"self.{name}") if norms else None
        if frozen is not None:
            yield frozen, name, norms


def _frozen_whole(code: Code, owner: ast.ClassDef, part: str) -> ast.AST | None:
    """Where a class freezes all parameters of a part, once, if none of it is thawed in the file."""
    found: list[tuple[ast.AST, bool]] = []
    for call in code.calls.method_calls("requires_grad_"):
        if ast.unparse(code.tree.receiver(call)) == part and code.within(call, owner):
            found.append((call, bool(call.args) and code.flow.is_constant(call.args[0], False)))
    for loop, _ in code.modes.parameter_loops():
        switches = list(code.modes.grad_switches(loop))
        if ast.unparse(loop.iter) == f"{part}.parameters()" and code.within(loop, owner):
            bare = not any(isinstance(each, ast.If) for each in loop.body)
            named = [n for n in code.below(loop, ast.Attribute) if "requires_grad" in n.attr]
            where = code.statement(named[0]) if named else loop
            found.append((where, bare and switches == [False]))
    thawed = any(code.modes.grad_switches(code.tree.root))
    return found[0][0] if [once for _, once in found] == [True] and not thawed else None
