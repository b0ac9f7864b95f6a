"""The calls that a value may come from."""

from __future__ import annotations

import ast

from keng.source.flow import Flow
from keng.source.names import Binding
from keng.source.project.trees import Trees
from keng.source.tree import Definition, Tree
from keng.source.types.infer import Types
from keng.source.types.kinds import UNKNOWN, Kind, Value
from keng.source.types.tables import RESHAPES


class Origins:
    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees
        self.flow = trees.ask(Flow, tree)
        self.types = trees.ask(Types, tree)

    def of(self, tree: Tree) -> Origins:
        """The same subject of another file."""
        return self if tree is self.tree else self.trees.ask(Origins, tree)

    def origins(self, node: ast.expr | None, depth: int = 12) -> list[Value]:
        """The calls that a value may come from, through names, shape-keeping methods, the modules
        of the project and their forwards; one entry for each way, unknown where a way is not known."""
        if depth == 0:
            return [UNKNOWN]
        match node:
            case ast.Name():
                found = self.flow.reaching_definitions(node)
                ways = [self._origin_of_binding(b, depth) for b in found]
                return [o for way in ways for o in way] or [UNKNOWN]
            case ast.IfExp():
                return self.origins(node.body, depth - 1) + self.origins(node.orelse, depth - 1)
            case ast.Call():
                return self._origins_of_call(node, depth)
        return [self.types.value_of(node)]

    def _origin_of_binding(self, binding: Binding, depth: int) -> list[Value]:
        if binding.how == "assign" and binding.value is not None and not binding.path:
            return self.origins(binding.value, depth - 1)
        if binding.how == "assign" and isinstance(binding.value, (ast.Tuple, ast.List)):
            parts, (first, *rest) = binding.value.elts, binding.path
            return [UNKNOWN] if rest else self.origins(parts[first], depth - 1)
        if binding.how == "assign" and isinstance(binding.value, ast.Call):
            return self._origins_of_part(binding, binding.value, depth)
        return [Value(self.types.bound_value(binding).kind)]

    def _origins_of_part(self, binding: Binding, call: ast.Call, depth: int) -> list[Value]:
        """The origins of one of several things that a function or forward of the project returns."""
        function, path = self.types.resolve_function(call), binding.path
        ways = function.tree.returns(function.node) if function else []
        parts = [w.elts for w in ways if isinstance(w, ast.Tuple) and path[0] < len(w.elts)]
        if function is None or len(parts) != len(ways) or len(path) != 1:
            return [Value(self.types.bound_value(binding).kind)]
        tree = function.tree
        return [o for part in parts for o in self.of(tree).origins(part[path[0]], depth - 1)]

    def _origins_of_call(self, call: ast.Call, depth: int) -> list[Value]:
        if isinstance(call.func, ast.Attribute) and call.func.attr in RESHAPES:
            return self.origins(call.func.value, depth - 1)
        if (function := self.types.resolve_function(call)) is not None:
            return self._returned(function, depth)
        module = self.types.value_of(call.func)
        if module.kind is Kind.MODULE and module.definition is not None:
            return [UNKNOWN]
        if (
            module.kind is Kind.MODULE
            and module.dotted == "torch.nn.Sequential"
            and module.call is not None
        ):
            parts = self.types.layers_of(module.call)
            return [self.types.value_of(parts[-1])] if parts else [UNKNOWN]
        return [self.types.value_of(call)]

    def _returned(self, function: Definition, depth: int) -> list[Value]:
        tree = function.tree
        found = [
            o for r in tree.returns(function.node) for o in self.of(tree).origins(r, depth - 1)
        ]
        return found or [UNKNOWN]
