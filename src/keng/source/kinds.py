"""A layer of Code: what kind of thing an expression is, from positive evidence only.

Evidence is an annotation, a constructor, a method that only tensors have, tensor arithmetic,
indexing, what a loader unpacks to, a base class, or what `__init__` puts on an attribute. A name is
no evidence, and unknown stays unknown.
"""

from __future__ import annotations

import ast
from functools import cached_property
from typing import cast

from keng.source.index import Function
from keng.source.names import Binding, Definition
from keng.source.tables import (
    HOST_METHODS,
    MODULE_CHAIN,
    SEVERAL,
    TENSOR_ATTRIBUTES,
    TENSOR_ONLY,
    WITH_WEIGHT,
    WRAPPERS,
)
from keng.source.usage import Usage
from keng.source.values import (
    MODULES,
    NAMED_IN,
    UNKNOWN,
    Kind,
    Value,
    agreed,
    along_a_dimension,
    class_kind,
    function_kind,
    is_none,
)
from keng.tables import torch_names as known

LITERALS = (ast.Constant, ast.JoinedStr, ast.List, ast.Dict, ast.Set, ast.Lambda)
FARTHEST = 30
"""Steps from value to value, over names, calls and files, before giving up."""


class Kinds(Usage):
    @cached_property
    def _values(self) -> dict[ast.AST, Value]:
        return {}

    def kind_of(self, node: ast.AST | None) -> Kind:
        return self.value_of(node).kind

    def value_of(self, node: ast.AST | None) -> Value:
        if node is None:
            return UNKNOWN
        if node not in self._values:
            self._values[node] = UNKNOWN  # what a value that depends on itself is
            self.project.steps += 1
            try:
                if self.project.steps < FARTHEST:
                    self._values[node] = self._value(node)
            finally:
                self.project.steps -= 1
        return self._values[node]

    def _value(self, node: ast.AST) -> Value:
        match node:
            case ast.Name():
                return self._of_name(node)
            case ast.Call():
                return self._of_call(node)
            case ast.Attribute():
                return self._of_attribute(node)
            case ast.Constant(value=bool() | int() | float() | complex()):
                return Value(Kind.NUMBER)
            case ast.BinOp():
                return self._arithmetic(node.left, node.right)
            case ast.UnaryOp():
                return Value(self.kind_of(node.operand))
            case ast.Compare():
                return self._arithmetic(node.left, *node.comparators)
            case ast.Subscript():
                return self._item(node)
            case ast.IfExp():
                return agreed((self.value_of(node.body), self.value_of(node.orelse)))
            case ast.NamedExpr():
                return self.value_of(node.value)
        return Value(Kind.OTHER) if isinstance(node, LITERALS) else UNKNOWN

    def _arithmetic(self, *operands: ast.expr) -> Value:
        kinds = {self.kind_of(operand) for operand in operands}
        if Kind.TENSOR in kinds:
            return Value(Kind.TENSOR)
        return Value(Kind.NUMBER) if kinds == {Kind.NUMBER} else UNKNOWN

    def _item(self, node: ast.Subscript) -> Value:
        base = self.value_of(node.value)
        if base.kind in (Kind.TENSOR, Kind.BATCH):
            return Value(Kind.TENSOR)
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            return self.value_of(self.held(node.value).get(node.slice.value))
        if base.dotted in ("torch.nn.Sequential", "torch.nn.ModuleList") and base.call:
            return self.value_of(self.part_at(base.call, node.slice))
        return UNKNOWN

    # names

    def _of_name(self, name: ast.Name) -> Value:
        found = [b for b in self.reaching(name) if not is_none(b.value)]
        if not found or all(b.how == "import" for b in found):
            return UNKNOWN
        known = agreed(self._bound_value(b) for b in found)
        made = all(b.how == "assign" and isinstance(b.value, ast.Call) for b in found)
        if known is UNKNOWN and made:
            return Value(self.kind_by_use(self.function_around(name), name.id))
        return known

    def _bound_value(self, binding: Binding) -> Value:
        match binding.how:
            case "argument":
                return self._of_argument(cast(ast.arg, binding.node))
            case "assign":
                annotated = self.parent.get(binding.node)
                if isinstance(annotated, ast.AnnAssign):
                    declared = self._annotated(annotated.annotation)
                    return (
                        declared
                        if declared.kind is not Kind.UNKNOWN
                        else self.value_of(binding.value)
                    )
                return self._unpacked(binding.value, binding.path)
            case "augment":
                return self._augmented(binding)
            case "for":
                return self._element(binding.value, binding.path)
            case "with":
                return self.value_of(binding.value) if binding.value else UNKNOWN
        return UNKNOWN

    def _augmented(self, binding: Binding) -> Value:
        if self.kind_of(binding.value) is Kind.TENSOR:
            return Value(Kind.TENSOR)
        earlier = [b for b in self.bindings(cast(ast.Name, binding.node)) if b.how != "augment"]
        return Value(agreed(self._bound_value(b) for b in earlier).kind)

    def _unpacked(self, value: ast.expr | None, path: tuple[int, ...]) -> Value:
        """The value of `value[path[0]][path[1]]...`"""
        if value is None or not path:
            return self.value_of(value)
        if (value, path) not in self._parts:
            self._parts[value, path] = UNKNOWN  # what a function that returns its own result gives
            self._parts[value, path] = self._part(value, path)
        return self._parts[value, path]

    @cached_property
    def _parts(self) -> dict[tuple[ast.AST, tuple[int, ...]], Value]:
        return {}

    def _part(self, value: ast.expr, path: tuple[int, ...]) -> Value:
        if isinstance(value, (ast.Tuple, ast.List)):
            return (
                self._unpacked(value.elts[path[0]], path[1:])
                if path[0] < len(value.elts)
                else UNKNOWN
            )
        if isinstance(value, ast.Call):
            method = value.func.attr if isinstance(value.func, ast.Attribute) else ""
            if (
                method == "prepare" and len(value.args) > path[0]
            ):  # accelerator.prepare(model, optimizer)
                return self.value_of(value.args[path[0]])
            if definition := self.what_runs(value):
                code = definition.code
                return agreed(code._unpacked(r, path) for r in code.returns(definition.node))
        if self.kind_of(value) in (Kind.TENSOR, Kind.BATCH) or self._gives_several(value, path):
            return Value(Kind.TENSOR)
        return UNKNOWN

    def _gives_several(self, call: ast.expr, path: tuple[int, ...]) -> bool:
        """Whether a call of a layer of torch gives several tensors, one of them at this position."""
        layer = self.value_of(call.func).dotted if isinstance(call, ast.Call) else ""
        return path in SEVERAL.get(layer.removeprefix("torch.nn."), ())

    def what_runs(self, call: ast.Call) -> Definition | None:
        """The function of the project that a call runs, the forward of a module where it is one."""
        function = self.definition(call.func)
        if function is not None:
            return None if isinstance(function.node, ast.ClassDef) else function
        owner, module = self.self_class(call.func), self.value_of(call.func)
        made = Definition(self.me, owner) if owner is not None else module.definition
        known = owner is not None or module.kind is Kind.MODULE
        return self.method(made, "forward") if known and made is not None else None

    def _element(self, value: ast.expr | None, path: tuple[int, ...]) -> Value:
        """What a loop over `value` binds at `path`."""
        if isinstance(value, ast.Call) and value.args:
            wraps = (
                value.func.attr
                if isinstance(value.func, ast.Attribute)
                else getattr(value.func, "id", "")
            )
            if wraps == "enumerate":
                if path[:1] == (0,):
                    return Value(Kind.NUMBER)
                return self._element(value.args[0], path[1:]) if path else UNKNOWN
            if wraps == "zip":
                return (
                    self._element(value.args[path[0]], path[1:])
                    if path and path[0] < len(value.args)
                    else UNKNOWN
                )
            if wraps in WRAPPERS:
                return self._element(value.args[0], path)
            if wraps == "range":
                return Value(Kind.NUMBER)
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            if value.func.attr == "parameters" or (
                value.func.attr == "named_parameters" and path == (1,)
            ):
                return Value(Kind.TENSOR)
            if value.func.attr in ("modules", "children"):
                return Value(Kind.MODULE)
            if value.func.attr in ("values", "items") and path[-1:] in ((), (1,)):
                return agreed(map(self.value_of, self.held(value.func.value).values()))
        kind = self.kind_of(value)
        if kind is Kind.LOADER:
            return Value(Kind.TENSOR if path else Kind.BATCH)
        if kind in (Kind.TENSOR, Kind.BATCH):
            return Value(Kind.TENSOR)
        return UNKNOWN

    def _of_argument(self, argument: ast.arg) -> Value:
        declared = self._annotated(argument.annotation) if argument.annotation else UNKNOWN
        if declared.kind is not Kind.UNKNOWN:
            return declared
        function = self.function_around(argument)
        if function is None or self.parent.get(argument) is not function.args:
            return UNKNOWN
        if argument in (function.args.vararg, function.args.kwarg):
            return UNKNOWN  # a tuple or dictionary of what is given
        if self.is_method(function) and self.arguments(function)[:1] == [argument]:
            return UNKNOWN
        known = agreed(
            code.value_of(code.passed(call, function, argument.arg))
            for code, call in self.callers(function)
        )
        return known if known is not UNKNOWN else Value(self.kind_by_use(function, argument.arg))

    def _annotated(self, annotation: ast.expr) -> Value:
        match annotation:
            case ast.Constant(value=str(text)):
                return self._named(text.rpartition(".")[2].strip("\"' "))
            case ast.BinOp(op=ast.BitOr()):
                sides = [s for s in (annotation.left, annotation.right) if not is_none(s)]
                return agreed(self._annotated(side) for side in sides)
            case ast.Subscript() if self.resolve(annotation.value) == "typing.Optional":
                return self._annotated(annotation.slice)
        return self._instance(self.resolve(annotation), self.definition(annotation), None)

    def _named(self, name: str) -> Value:
        """A forward reference: the last part of a name in quotes."""
        bound = self.scopes[self.tree].bindings.get(name, [])
        if len(bound) == 1 and bound[0].how == "class":
            definition = Definition(self.me, cast(ast.ClassDef, bound[0].node))
            return self._instance("", definition, None)
        return Value(Kind.TENSOR) if name == "Tensor" else UNKNOWN

    # calls

    def _of_call(self, call: ast.Call) -> Value:
        if built := self.built_from(call.func):
            return agreed(self._instance("", each, call) for each in built)
        if (made := self._made_by(call.func, call)) is not UNKNOWN or self.definition(call.func):
            return made
        if isinstance(call.func, ast.Attribute):
            return self._of_method(call, call.func)
        if kind := NAMED_IN.get(self.resolve(self.chosen_from(call.func))):
            return Value(kind)
        if chosen := self.chosen(call.func):
            return agreed(self._made_by(each, call) for each in chosen)
        return self._forwarded(call, self.value_of(call.func))

    def _made_by(self, function: ast.expr, call: ast.Call) -> Value:
        """What a call of a function or class gives that is known by name or defined in the project."""
        dotted = self.resolve(function)
        definition = self.definition(function)
        if definition is not None and isinstance(definition.node, ast.ClassDef):
            return self._instance(dotted, definition, call)
        if definition is not None:
            code = definition.code
            return agreed(code.value_of(r) for r in code.returns(definition.node))
        return self._made(dotted, call) if dotted else UNKNOWN

    def _instance(self, dotted: str, definition: Definition | None, call: ast.Call | None) -> Value:
        """An instance of a class that is known by name or defined in the project."""
        if definition is not None and isinstance(definition.node, ast.ClassDef):
            kind = definition.code.kind_of_class(definition.node)
            return Value(kind, dotted, call, definition)
        return Value(class_kind(dotted), dotted, call)

    def _made(self, dotted: str, call: ast.Call) -> Value:
        """What a call of a known function or class gives."""
        kind = class_kind(dotted)
        if (
            kind is Kind.UNKNOWN
            and dotted in ("copy.deepcopy", "copy.copy", "torch.compile", "builtins.next")
            and call.args
        ):
            inner = call.args[0]
            if dotted == "builtins.next":
                return self._element(inner, ())
            return self.value_of(inner)._replace(call=call)
        if kind is Kind.UNKNOWN:
            kind = function_kind(dotted)
        return Value(kind, dotted, call) if kind is not Kind.UNKNOWN else UNKNOWN

    def _of_method(self, call: ast.Call, method: ast.Attribute) -> Value:
        receiver = self.value_of(method.value)
        if receiver.kind in MODULES:
            if method.attr in MODULE_CHAIN:
                return receiver
            if method.attr == "forward":
                return self._forwarded(call, receiver)
            return self._forwarded(call, self.value_of(method))
        if receiver.kind is Kind.BATCH:
            return receiver if method.attr == "to" else UNKNOWN
        if receiver.kind is Kind.TENSOR or (
            method.attr in TENSOR_ONLY and receiver.kind is Kind.UNKNOWN
        ):
            return self._tensor_method(call, method.attr)
        if method.attr == "softmax" and along_a_dimension(call) and not self.resolve(method):
            return self._tensor_method(call, method.attr)
        return self._forwarded(call, self.value_of(method))

    def _tensor_method(self, call: ast.Call, name: str) -> Value:
        if name in HOST_METHODS:
            return Value(Kind(HOST_METHODS[name]))
        if name in known.TENSOR_METHODS or name in TENSOR_ONLY or name.endswith("_"):
            return Value(Kind.TENSOR, f"torch.Tensor.{name}", call)
        return UNKNOWN

    def _forwarded(self, call: ast.Call, module: Value) -> Value:
        """The output of a module that is called."""
        if module.kind is Kind.CRITERION:
            return Value(Kind.TENSOR, module.dotted, call)
        if module.kind is not Kind.MODULE:
            return UNKNOWN
        if module.definition is None:
            single = module.dotted.startswith("torch.nn.") and not module.dotted.endswith(
                ("LSTM", "GRU", "RNN", "Attention")
            )
            return Value(Kind.TENSOR, module.dotted, call) if single else UNKNOWN
        found = module.definition.code.method(module.definition, "forward")
        if found is None:
            return UNKNOWN
        return Value(
            agreed(
                found.code.value_of(r) for r in found.code.returns(cast(Function, found.node))
            ).kind
        )

    # attributes

    def _of_attribute(self, node: ast.Attribute) -> Value:
        owner = self.self_class(node.value)
        if owner is not None:
            return self._on_own(owner, node.attr)
        base = self.value_of(node.value)
        if base.kind is Kind.TENSOR and node.attr in TENSOR_ATTRIBUTES:
            return Value(Kind.TENSOR)
        if base.definition is not None:
            return base.definition.code._on_self(
                cast(ast.ClassDef, base.definition.node), node.attr
            )
        if base.kind is Kind.MODULE and node.attr == "weight" and base.dotted in WITH_WEIGHT:
            return Value(Kind.TENSOR)
        if base.kind is Kind.MODULE and node.attr == "module":
            return Value(Kind.MODULE)
        return UNKNOWN

    def _on_own(self, owner: ast.ClassDef, name: str) -> Value:
        """An attribute of `self`, given by its class or, in one that is mixed with others, by its heirs."""
        own = self._on_self(owner, name)
        if own is not UNKNOWN or self.puts_on_self(owner, name):
            return own
        heirs = [h for h in self.heirs(owner) if h.code.puts_on_self(h.node, name)]
        return agreed(h.code._on_self(cast(ast.ClassDef, h.node), name) for h in heirs)

    def _on_self(self, owner: ast.ClassDef, name: str) -> Value:
        given = [v for v in self.attributes(owner).get(name, []) if not is_none(v[0])]
        if given:
            return agreed(self._unpacked(value, path) for value, path in given)
        for base in self.bases(owner):
            if (
                value := base.code._on_self(cast(ast.ClassDef, base.node), name)
            ).kind is not Kind.UNKNOWN:
                return value
        return UNKNOWN
