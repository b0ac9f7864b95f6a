"""Source code: a softmax goes over a dimension that holds one value."""

from __future__ import annotations

import ast
from textwrap import shorten

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.dimensions import ONE
from keng.source.flow import integer

FUNCTIONS = frozenset(
    f"torch.{home}{name}" for home in ("", "nn.functional.") for name in ("softmax", "log_softmax")
)
LAYERS = ("torch.nn.Softmax", "torch.nn.LogSoftmax")
LOSSES = ("torch.nn.CrossEntropyLoss", "torch.nn.functional.cross_entropy")


@finds(mentions=["softmax", "log_softmax", "Softmax", "LogSoftmax"])
def always_one(code: Code) -> Hits:
    for call in code.of(ast.Call):
        given, dimension = _softmax(code, call)
        at = integer(dimension) if dimension is not None else None
        shape = code.dimensions.shape(given) if at is not None else None
        if shape is not None and at is not None and shape.at(at) == ONE:
            text = shorten(code.text_of(call), 60, placeholder=" ...")
            yield code.hit(call, say("one-value", call=text))


@finds
def one_class(code: Code) -> Hits:
    """`cross_entropy` of a single column of scores: it is a softmax over one value."""
    for call in code.graph.loss_calls(*LOSSES):
        given = code.calls.argument(call, "input", 0)
        if given is not None and _has_one_column(code, given):
            yield code.hit(call, say("one-column", given=code.text_of(given)))


def _has_one_column(code: Code, given: ast.expr) -> bool:
    """Whether a value is what a linear layer with one output gives, alone or at the end of a Sequential."""
    made = code.flow.call_behind(given)
    layer = code.types.value_of(made.func) if made is not None else None
    if layer is None or layer.call is None:
        return False
    if layer.dotted == "torch.nn.Sequential":
        parts = code.types.layers_of(layer.call)
        layer = code.types.value_of(parts[-1]) if parts else layer
    if layer.dotted != "torch.nn.Linear" or layer.call is None:
        return False
    width = code.calls.argument(layer.call, "out_features", 1)
    return width is not None and code.flow.number(width) == 1 and layer.call in code.tree.parent


def _softmax(code: Code, call: ast.Call) -> tuple[ast.expr | None, ast.expr | None]:
    """What a call makes a softmax of, and the dimension that it goes over."""
    named = code.calls.may_be_named(call.func, ("softmax", "log_softmax"))
    if named and code.names.resolve(call.func) in FUNCTIONS and call.args:
        return call.args[0], code.calls.argument(call, "dim", 1)
    if named and isinstance(call.func, ast.Attribute) and not code.names.resolve(call.func):
        return call.func.value, code.calls.argument(call, "dim", 0)
    applied = len(call.args) == 1 and not named and _may_be_layer(code, call.func)
    made = code.types.value_of(call.func) if applied else None
    if made is not None and made.dotted in LAYERS and made.call is not None:
        return call.args[0], code.calls.argument(made.call, "dim", 0)
    return None, None


def _may_be_layer(code: Code, function: ast.expr) -> bool:
    """Whether the file makes such a layer, or a name suggests that another one did."""
    made = not code.source.words.isdisjoint((b"Softmax", b"LogSoftmax"))
    return made or "softmax" in code.calls.attribute_name(function).lower()
