"""What several pitfalls of training ask of the objects of a program as it runs."""

from __future__ import annotations

import ast

from keng.source import Code, Definition
from keng.source.execution.events import Did, Event
from keng.source.execution.values import Constant, Object, Role


def layers_by_mode(code: Code, model: Object) -> set[str] | None:
    """The layers of a model that act differently in training and eval mode; None where they are not known."""
    if model.class_ is not None:
        definition = Definition(model.class_.home.tree, model.class_.node)
        return code.modes.mode_dependent_layers_of_class(definition)
    home = model.tree
    if isinstance(model.node, ast.Call) and home is not None and not model.given:
        return code.modes.of(home).mode_dependent_layers(model.node)
    return None


def switched_models(code: Code) -> list[Object]:
    """The models that are called in a file and, with all that they are a part of, put into eval mode."""
    events = code.execution.events
    switches = [each for each in events if each.did is Did.TRAIN_MODE_SET and not _trains(each)]
    wholes = [whole for each in switches for whole in each.objects]
    models = code.execution.objects(Role.MODULE) if wholes else []
    called = {id(each) for event in events if event.did is Did.FORWARD for each in event.objects}
    return [
        model
        for model in models
        if id(model) in called and any(code.execution.is_part_of(model, each) for each in wholes)
    ]


def _trains(switch: Event) -> bool:
    return isinstance(switch.flag, Constant) and bool(switch.flag.value)


def called(code: Code, forward: Event) -> str:
    """What the analysed file calls the model of a forward."""
    node = forward.node
    if forward.tree is not code.tree or not isinstance(node, ast.Call):
        return ""
    return code.text_of(node.func)
