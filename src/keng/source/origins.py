"""A layer of Code: the calls that a value may come from."""

from __future__ import annotations

import ast

from keng.source.kinds import Kinds
from keng.source.names import Binding, Definition
from keng.source.tables import RESHAPES
from keng.source.values import UNKNOWN, Kind, Value


class Origins(Kinds):
    def origins(self, node: ast.expr | None, depth: int = 12) -> list[Value]:
        """The calls that a value may come from, through names, shape-keeping methods, the modules
        of the project and their forwards; one entry for each way, unknown where a way is not known."""
        if depth == 0:
            return [UNKNOWN]
        match node:
            case ast.Name():
                found = self.reaching(node)
                ways = [self._origin_of_binding(b, depth) for b in found]
                return [o for way in ways for o in way] or [UNKNOWN]
            case ast.IfExp():
                return self.origins(node.body, depth - 1) + self.origins(node.orelse, depth - 1)
            case ast.Call():
                return self._origins_of_call(node, depth)
        return [self.value_of(node)]

    def only_declared(self, node: ast.expr, depth: int = 3) -> bool:
        """Whether a value is what it is by the annotation of an argument alone, which nobody checks: its
        own, or that of a function which hands it on."""
        found = self.reaching(node) if isinstance(node, ast.Name) and depth else []
        return bool(found) and all(
            isinstance(b.node, ast.arg)
            and (b.node.annotation is not None or self._declared_by_callers(b.node, depth))
            for b in found
        )

    def _declared_by_callers(self, argument: ast.arg, depth: int) -> bool:
        given = self.given_by_callers(argument)
        return any(each and code.me.only_declared(each, depth - 1) for code, each in given)

    def _origin_of_binding(self, binding: Binding, depth: int) -> list[Value]:
        if binding.how == "assign" and binding.value is not None and not binding.path:
            return self.origins(binding.value, depth - 1)
        if binding.how == "assign" and isinstance(binding.value, (ast.Tuple, ast.List)):
            parts, (first, *rest) = binding.value.elts, binding.path
            return [UNKNOWN] if rest else self.origins(parts[first], depth - 1)
        if binding.how == "assign" and isinstance(binding.value, ast.Call):
            return self._origins_of_part(binding, binding.value, depth)
        return [Value(self._bound_value(binding).kind)]

    def _origins_of_part(self, binding: Binding, call: ast.Call, depth: int) -> list[Value]:
        """The origins of one of several things that a function or forward of the project returns."""
        function, path = self.what_runs(call), binding.path
        ways = function.code.returns(function.node) if function else []
        parts = [w.elts for w in ways if isinstance(w, ast.Tuple) and path[0] < len(w.elts)]
        if function is None or len(parts) != len(ways) or len(path) != 1:
            return [Value(self._bound_value(binding).kind)]
        code = function.code
        return [o for part in parts for o in code.origins(part[path[0]], depth - 1)]

    def _origins_of_call(self, call: ast.Call, depth: int) -> list[Value]:
        if isinstance(call.func, ast.Attribute) and call.func.attr in RESHAPES:
            return self.origins(call.func.value, depth - 1)
        if (function := self.what_runs(call)) is not None:
            return self._returned(function, depth)
        module = self.value_of(call.func)
        if module.kind is Kind.MODULE and module.definition is not None:
            return [UNKNOWN]
        if (
            module.kind is Kind.MODULE
            and module.dotted == "torch.nn.Sequential"
            and module.call is not None
        ):
            parts = self.parts_of(module.call)
            return [self.value_of(parts[-1])] if parts else [UNKNOWN]
        return [self.value_of(call)]

    def _returned(self, function: Definition, depth: int) -> list[Value]:
        code = function.code
        found = [o for r in code.returns(function.node) for o in code.origins(r, depth - 1)]
        return found or [UNKNOWN]
