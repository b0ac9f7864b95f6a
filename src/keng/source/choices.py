"""A layer of Code: classes that were chosen from scores, and what they are taken for."""

from __future__ import annotations

import ast

from keng.source.names import Binding
from keng.source.slips import Slips
from keng.source.values import along_a_dimension

KEEPS_CLASSES = frozenset(
    "cpu cuda to numpy detach tolist item float int long double astype view reshape flatten squeeze data "
    "type ravel copy".split()
)
"""Methods and attributes that leave classes what they are."""
GATHERS = frozenset(
    [
        *(f"torch.{name}" for name in ("cat", "stack", "concat", "hstack", "tensor", "as_tensor")),
        *(f"numpy.{name}" for name in ("array", "asarray", "concatenate", "hstack", "stack")),
        "builtins.list",
    ]
)
WHERE = ("torch.where", "numpy.where")
CHOOSING = ("argmax", "round", "gt", "ge")
DEEPEST = 12
Part = tuple[ast.expr | None, tuple[int, ...]]


class Choices(Slips):
    def holds_classes(self, node: ast.expr, depth: int = DEEPEST) -> bool:
        """Whether a value is classes on every way, as they were chosen from scores or compared with a
        threshold, or a list to which nothing else is added."""
        if not depth:
            return False
        match node:
            case ast.Name():
                return self._classes_by_name(node, depth)
            case ast.Compare(ops=[ast.Gt() | ast.GtE() | ast.Lt() | ast.LtE()]):
                return True
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                return bool(parts) and all(self.holds_classes(p, depth - 1) for p in parts)
            case ast.ListComp(elt=each):
                return self.holds_classes(each, depth - 1)
            case ast.Attribute(attr="indices", value=ast.Call() as chosen):
                return self._takes_largest(chosen)
            case ast.Subscript(value=ast.Call() as chosen, slice=ast.Constant(value=1)):
                return self._takes_largest(chosen)
            case ast.Attribute(attr=name, value=inner):
                return name in KEEPS_CLASSES and self.holds_classes(inner, depth - 1)
            case ast.Call():
                return self._classes_by_call(node, depth)
        return False

    def _classes_by_call(self, call: ast.Call, depth: int) -> bool:
        name, dotted = self.written_name(call.func), self.resolve(call.func)
        if dotted in GATHERS:
            return bool(call.args) and self.holds_classes(call.args[0], depth - 1)
        if dotted in WHERE:
            return len(call.args) == 3 and all(isinstance(a, ast.Constant) for a in call.args[1:])
        if name in CHOOSING:
            known = dotted.startswith(("torch.", "numpy."))
            decimals = name == "round" and len(call.args) + len(call.keywords) > known
            return (known or not dotted) and not decimals
        if isinstance(call.func, ast.Attribute) and name in KEEPS_CLASSES:
            return self.holds_classes(call.func.value, depth - 1)
        return False

    def _takes_largest(self, call: ast.Call) -> bool:
        """`torch.max(x, 1)` or `x.max(1)`, which give the places as well."""
        if self.resolve(call.func) == "torch.max":
            return self.argument(call, "dim", 1) is not None
        method = isinstance(call.func, ast.Attribute) and call.func.attr == "max"
        return method and not self.resolve(call.func) and along_a_dimension(call)

    def _classes_by_name(self, name: ast.Name, depth: int) -> bool:
        found = self.reaching(name)
        if not found or any(binding.how != "assign" for binding in found):
            return False
        added = self.added_to(name)
        if all(self._begins_empty(binding) for binding in found):
            return bool(added) and all(self.holds_classes(each, depth - 1) for each in added)
        return not added and all(self._bound_to_classes(binding, depth) for binding in found)

    def _bound_to_classes(self, binding: Binding, depth: int) -> bool:
        value, path = binding.value, binding.path
        if isinstance(value, ast.Tuple) and len(path) == 1:
            value, path = value.elts[path[0]], ()
        if path == (1,) and isinstance(value, ast.Call):
            return self._takes_largest(value)
        return value is not None and not path and self.holds_classes(value, depth - 1)

    def _begins_empty(self, binding: Binding) -> bool:
        value: ast.expr | None = binding.value
        for at in binding.path:
            value = value.elts[at] if isinstance(value, ast.Tuple) else None
        return isinstance(value, ast.List) and not value.elts

    def added_to(self, name: ast.Name) -> list[ast.expr]:
        """What is added to a list somewhere in the body that its name stands in."""
        found: list[ast.expr] = []
        for node in self.below(self.body_around(name), ast.Call, ast.AugAssign):
            match node:
                case (
                    ast.Call(
                        func=ast.Attribute(attr="append" | "extend", value=ast.Name(id=held)),
                        args=[added],
                    )
                    | ast.AugAssign(target=ast.Name(id=held), value=added)
                ):
                    found += [added] if held == name.id else []
        return found
