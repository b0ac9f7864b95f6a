"""What several pitfalls of training ask of the objects of a program as it runs."""

from __future__ import annotations

import ast

from keng.source import Code, Definition
from keng.source.execution.events import Did, Event
from keng.source.execution.program import Execution
from keng.source.execution.values import Constant, Object, Symbol, Value


def layers_by_mode(code: Code, model: Object | Symbol) -> set[str] | None:
    """The layers of a model that act differently in training and eval mode; None where they are not known."""
    if isinstance(model, Symbol):
        return None
    if model.class_ is not None:
        definition = Definition(model.class_.home.tree, model.class_.node)
        return code.modes.mode_dependent_layers_of_class(definition)
    home = model.tree
    if isinstance(model.node, ast.Call) and home is not None and not model.given:
        return code.modes.of(home).mode_dependent_layers(model.node)
    return None


def loses_layers_by_mode(code: Code, model: Object | Symbol) -> bool:
    """Whether a part of a model is replaced that acts differently in training and eval mode, or may: those
    that its class names are not the model's any more."""
    replaced = [each.objects[0] for each in code.execution.events if each.did is Did.REPLACED]
    parts = [
        each
        for each in replaced
        if isinstance(each, Object) and each is not model and code.execution.is_part_of(each, model)
    ]
    return any(layers_by_mode(code, each) != set() for each in parts)


def in_one_function(one: Event, other: Event) -> bool:
    """Whether two events happen in the body of one function."""
    body = one.tree.enclosing_body
    return one.tree is other.tree and body(one.node) is body(other.node)


def models(code: Code) -> list[Object | Symbol]:
    """What is called as a model in a file, those included that come from elsewhere."""
    forwards = [each for each in code.execution.events if each.did is Did.FORWARD]
    called = {id(each): each for event in forwards for each in event.objects}
    return [
        each
        for each in called.values()
        if isinstance(each, Symbol) or (isinstance(each, Object) and not each.summary)
    ]


def trains(execution: Execution, batch: Event) -> bool:
    """Whether the loop that takes a batch goes backward."""
    loop = batch.loops[-1].node if batch.loops else None
    backwards = (each for each in execution.events if each.did is Did.BACKWARD)
    return any(round.node is loop for each in backwards for round in each.loops)


def evaluated_models(code: Code) -> list[Object | Symbol]:
    """The models of a file that are called somewhere without gradients, where a loop goes over batches
    without gradients or without a backward."""
    batches = [each for each in code.execution.events if each.did is Did.BATCH]
    if all(_is_on(each.recorded) and trains(code.execution, each) for each in batches):
        return []
    events = [each for each in code.execution.events if each.did is Did.FORWARD]
    off = [each for each in events if not _is_on(each.recorded)]
    called = {id(each) for event in off for each in event.objects}
    return [each for each in models(code) if id(each) in called]


def _is_on(condition: Value | None) -> bool:
    return isinstance(condition, Constant) and bool(condition.value)


def switched_models(code: Code) -> list[Object | Symbol]:
    """The models of a file that are put into eval mode somewhere in it."""
    events = code.execution.events
    switches = [each for each in events if each.did is Did.TRAIN_MODE_SET and not _is_on(each.flag)]
    wholes = [whole for each in switches for whole in each.objects]
    parts = models(code) if wholes else []
    return [each for each in parts if any(code.execution.is_part_of(each, w) for w in wholes)]


def called(code: Code, forward: Event) -> str:
    """What the analysed file calls the model of a forward."""
    node = forward.node
    if forward.tree is not code.tree or not isinstance(node, ast.Call):
        return ""
    return code.text_of(node.func)
