"""A layer of Code: what is kept for a residual connection, and activations that write over it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.source.images import Images
from keng.source.names import Binding
from keng.source.values import Value

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


class Shortcuts(Images):
    def shortcuts_overwritten(self) -> Iterator[tuple[ast.Call, ast.Name]]:
        """Activations in place of a function's argument, or of what a layer made, that is then added to what
        came of it as if it were what it was: the call, and the name by which it is added."""
        if b"inplace" not in self.data and not any(m.encode() in self.data for m in METHODS):
            return
        for addition, shortcut, other in self._sums():
            function, kept = self.function_around(addition), self._kept_as(shortcut)
            if function is None or kept is None or not self._may_be_negative(kept):
                continue
            for call in self.below(function, ast.Call):
                name = self._activated(call)
                if name is None or self._kept_as(name) != kept or not self._before(call, addition):
                    continue
                meant = shortcut.id == name.id and isinstance(self.parent[call], ast.Expr)
                activation = "" if meant else self._in_place(call)
                useless = activation in CUT_AT_ZERO and self._cut_after(addition, function)
                if activation and not useless and self._comes_of(other, call):
                    yield call, shortcut

    def _sums(self) -> Iterator[tuple[ast.AST, ast.Name, ast.expr]]:
        for both in self.of(ast.BinOp):
            if isinstance(both.op, ast.Add):
                for one, other in ((both.left, both.right), (both.right, both.left)):
                    if isinstance(one, ast.Name):
                        yield both, one, other
        for added in self.of(ast.AugAssign):
            if isinstance(added.op, ast.Add) and isinstance(added.value, ast.Name):
                yield added, added.value, added.target

    def _kept_as(self, name: ast.Name, depth: int = 4) -> Binding | None:
        """The one binding that gave a tensor its first name."""
        found = self.reaching(name)
        if len(found) != 1 or depth == 0:
            return None
        (binding,) = found
        if binding.how == "assign" and not binding.path and isinstance(binding.value, ast.Name):
            return self._kept_as(binding.value, depth - 1)
        return binding

    def _may_be_negative(self, kept: Binding) -> bool:
        if kept.how == "argument" or not isinstance(kept.value, ast.Call) or kept.path:
            return kept.how == "argument"
        home, _, name = self.value_of(kept.value.func).dotted.rpartition(".")
        return home == "torch.nn" and name.startswith(SIGNED)

    def _activated(self, call: ast.Call) -> ast.Name | None:
        """The name of what a call may change in place."""
        if isinstance(call.func, ast.Attribute) and call.func.attr in METHODS and not call.args:
            given: ast.expr = call.func.value
        else:
            given = call.args[0] if call.args else call
        return given if isinstance(given, ast.Name) else None

    def _before(self, call: ast.Call, addition: ast.AST) -> bool:
        """Whether a call is always made before an addition: in an operand, or in a statement before it."""
        statement = self.statement(call)
        earlier = self.position(statement) < self.position(self.statement(addition))
        return self.within(call, addition) or (
            earlier and self.within(addition, self.parent[statement])
        )

    def _in_place(self, call: ast.Call) -> str:
        """The function that a call applies in place, as torch.nn.functional calls it; nothing for others."""
        home, _, name = self.resolve(call.func).rpartition(".")
        if home in ("torch", "torch.nn.functional") and name in FUNCTIONS:
            at = FUNCTIONS[name]
            return name if not at or self._is_asked_for(call, at) else ""
        if isinstance(call.func, ast.Attribute) and call.func.attr in METHODS:
            return call.func.attr
        layer = self._first_layer(self.value_of(call.func))
        home, _, name = layer.dotted.rpartition(".")
        if home != "torch.nn" or name not in LAYERS or layer.call is None:
            return ""
        return name.lower() if self._is_asked_for(layer.call, LAYERS[name]) else ""

    def _first_layer(self, module: Value) -> Value:
        if module.dotted != "torch.nn.Sequential" or module.call is None:
            return module
        parts = self.parts_of(module.call)
        return self.value_of(parts[0]) if parts else module

    def _is_asked_for(self, call: ast.Call, position: int) -> bool:
        given = self.argument(call, "inplace", position)
        return given is not None and self.is_true(given)

    def _cut_after(self, addition: ast.AST, function: ast.AST) -> bool:
        """Whether something is cut at zero after an addition: its block's input may be such a sum."""
        return any(
            self._ends_after(call, addition) and self._cuts(call)
            for call in self.below(function, ast.Call)
        )

    def _ends_after(self, call: ast.Call, addition: ast.AST) -> bool:
        return self.within(addition, call) or self.position(call) > self.position(addition)

    def _cuts(self, call: ast.Call) -> bool:
        """Whether a call gives nothing below zero, as far as can be told."""
        written = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        dotted = self.resolve(call.func) or self.value_of(call.func).dotted
        return "relu" in f"{written} {dotted}".lower() or not dotted

    def _comes_of(self, node: ast.AST, call: ast.Call, depth: int = 16) -> bool:
        """Whether a value was computed of a call's result."""
        if self.within(call, node):
            return True
        names = [node] if isinstance(node, ast.Name) else self.below(node, ast.Name)
        return bool(depth) and any(
            binding.value is not None and self._comes_of(binding.value, call, depth - 1)
            for name in names
            for binding in self.reaching(name)
        )
