"""Source code: a shortcut is changed in place before it is added."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code, Value
from keng.source.names import Binding

LAYERS = {
    "ReLU": 0, "ReLU6": 0, "SELU": 0, "SiLU": 0, "Mish": 0, "Hardswish": 0, "LeakyReLU": 1, "ELU": 1,
    "CELU": 1, "Dropout": 1, "Dropout2d": 1, "Dropout3d": 1,
}  # fmt: skip
"""The position of `inplace` among the arguments of what makes them."""
FUNCTIONS = {
    "relu": 1, "relu6": 1, "selu": 1, "silu": 1, "mish": 1, "hardswish": 1, "leaky_relu": 2, "elu": 2,
    "celu": 2, "dropout": 3, "relu_": 0, "selu_": 0, "leaky_relu_": 0, "elu_": 0, "celu_": 0,
}  # fmt: skip
METHODS = ("relu_", "sigmoid_", "tanh_")
CUT_AT_ZERO = ("relu", "relu_", "relu6")
"""What they have made once they leave as it is."""
SIGNED = ("Conv", "ConvTranspose", "BatchNorm", "GroupNorm", "InstanceNorm", "LayerNorm", "Linear")


@finds
def kept_under_a_second_name(code: Code) -> Hits:
    for call, shortcut in _shortcuts_overwritten(code):
        values = {"call": code.text_of(call), "shortcut": shortcut.id, "line": shortcut.lineno}
        yield code.hit(call, say("writes-over-shortcut", **values))


def _shortcuts_overwritten(code: Code) -> Iterator[tuple[ast.Call, ast.Name]]:
    """Activations in place of a function's argument, or of what a layer made, that is then added to what
    came of it as if it were what it was: the call, and the name by which it is added."""
    if b"inplace" not in code.tree.data and not any(m.encode() in code.tree.data for m in METHODS):
        return
    for addition, shortcut, other in _sums(code):
        function, kept = code.tree.enclosing_function(addition), _kept_as(code, shortcut)
        if function is None or kept is None or not _may_be_negative(code, kept):
            continue
        for call in code.below(function, ast.Call):
            name = _activated(code, call)
            if (
                name is None
                or _kept_as(code, name) != kept
                or not _value_before(code, call, addition)
            ):
                continue
            meant = shortcut.id == name.id and isinstance(code.tree.parent[call], ast.Expr)
            activation = "" if meant else _in_place(code, call)
            useless = activation in CUT_AT_ZERO and _cut_after(code, addition, function)
            if activation and not useless and _comes_of(code, other, call):
                yield call, shortcut


def _sums(code: Code) -> Iterator[tuple[ast.AST, ast.Name, ast.expr]]:
    for both in code.of(ast.BinOp):
        if isinstance(both.op, ast.Add):
            for one, other in ((both.left, both.right), (both.right, both.left)):
                if isinstance(one, ast.Name):
                    yield both, one, other
    for added in code.of(ast.AugAssign):
        if isinstance(added.op, ast.Add) and isinstance(added.value, ast.Name):
            yield added, added.value, added.target


def _kept_as(code: Code, name: ast.Name, depth: int = 4) -> Binding | None:
    """The one binding that gave a tensor its first name."""
    found = code.flow.reaching_definitions(name)
    if len(found) != 1 or depth == 0:
        return None
    (binding,) = found
    if binding.how == "assign" and not binding.path and isinstance(binding.value, ast.Name):
        return _kept_as(code, binding.value, depth - 1)
    return binding


def _may_be_negative(code: Code, kept: Binding) -> bool:
    if kept.how == "argument" or not isinstance(kept.value, ast.Call) or kept.path:
        return kept.how == "argument"
    home, _, name = code.types.value_of(kept.value.func).dotted.rpartition(".")
    return home == "torch.nn" and name.startswith(SIGNED)


def _activated(code: Code, call: ast.Call) -> ast.Name | None:
    """The name of what a call may change in place."""
    if isinstance(call.func, ast.Attribute) and call.func.attr in METHODS and not call.args:
        given: ast.expr = call.func.value
    else:
        given = call.args[0] if call.args else call
    return given if isinstance(given, ast.Name) else None


def _value_before(code: Code, call: ast.Call, addition: ast.AST) -> bool:
    """Whether a call is always made before an addition: in an operand, or in a statement before it."""
    statement = code.statement(call)
    earlier = code.tree.position(statement) < code.tree.position(code.statement(addition))
    return code.within(call, addition) or (
        earlier and code.within(addition, code.tree.parent[statement])
    )


def _in_place(code: Code, call: ast.Call) -> str:
    """The function that a call applies in place, as torch.nn.functional calls it; nothing for others."""
    home, _, name = code.names.resolve(call.func).rpartition(".")
    if home in ("torch", "torch.nn.functional") and name in FUNCTIONS:
        at = FUNCTIONS[name]
        return name if not at or _is_asked_for(code, call, at) else ""
    if isinstance(call.func, ast.Attribute) and call.func.attr in METHODS:
        return call.func.attr
    layer = _first_layer(code, code.types.value_of(call.func))
    home, _, name = layer.dotted.rpartition(".")
    if home != "torch.nn" or name not in LAYERS or layer.call is None:
        return ""
    return name.lower() if _is_asked_for(code, layer.call, LAYERS[name]) else ""


def _first_layer(code: Code, module: Value) -> Value:
    if module.dotted != "torch.nn.Sequential" or module.call is None:
        return module
    parts = code.types.layers_of(module.call)
    return code.types.value_of(parts[0]) if parts else module


def _is_asked_for(code: Code, call: ast.Call, position: int) -> bool:
    given = code.calls.argument(call, "inplace", position)
    return given is not None and code.flow.is_true(given)


def _cut_after(code: Code, addition: ast.AST, function: ast.AST) -> bool:
    """Whether something is cut at zero after an addition: its block's input may be such a sum."""
    return any(
        _ends_after(code, call, addition) and _cuts(code, call)
        for call in code.below(function, ast.Call)
    )


def _ends_after(code: Code, call: ast.Call, addition: ast.AST) -> bool:
    return code.within(addition, call) or code.tree.position(call) > code.tree.position(addition)


def _cuts(code: Code, call: ast.Call) -> bool:
    """Whether a call gives nothing below zero, as far as can be determined."""
    written = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    dotted = code.names.resolve(call.func) or code.types.value_of(call.func).dotted
    return "relu" in f"{written} {dotted}".lower() or not dotted


def _comes_of(code: Code, node: ast.AST, call: ast.Call, depth: int = 16) -> bool:
    """Whether a value was computed of a call's result."""
    if code.within(call, node):
        return True
    names = [node] if isinstance(node, ast.Name) else code.below(node, ast.Name)
    return bool(depth) and any(
        binding.value is not None and _comes_of(code, binding.value, call, depth - 1)
        for name in names
        for binding in code.flow.reaching_definitions(name)
    )
