"""Infers the kind of an expression, the class it is an instance of, and who calls a function.

Evidence is an annotation, a constructor, a method that only tensors have, tensor arithmetic, indexing,
what a loader yields, a base class, or what `__init__` assigns to an attribute. A name is no evidence, and
unknown stays unknown. Inference and the call graph need each other, so one subject holds both: the kind
of an argument comes from the calls of its function, the calls of a method from the kinds of objects.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple, cast

from keng.source.calls import Calls
from keng.source.classes import Classes
from keng.source.flow import Flow
from keng.source.names import Binding, Names
from keng.source.project.trees import Trees
from keng.source.tree import FUNCTIONS, Definition, Function, Tree, member
from keng.source.types.kinds import (
    MADE,
    MODULES,
    NAMED_IN,
    UNKNOWN,
    Kind,
    Value,
    agreed,
    along_a_dimension,
    class_kind,
    combined,
    function_kind,
    is_none,
)
from keng.source.types.registries import Registries
from keng.source.types.tables import (
    HOST_METHODS,
    MODULE_CHAIN,
    SEVERAL,
    TENSOR_ATTRIBUTES,
    TENSOR_ONLY,
    WITH_WEIGHT,
    WRAPPERS,
)
from keng.source.types.usage import Usage
from keng.tables import torch_names as known

LITERALS = (ast.Constant, ast.JoinedStr, ast.List, ast.Dict, ast.Set, ast.Lambda)
DEEPEST = 8
"""Subclasses of subclasses whose calls are treated as those of a constructor."""
FARTHEST = 30
"""Steps from value to value, over names, calls and files, before giving up."""


class Module(NamedTuple):
    """The nn.Module class that a method belongs to, and how the method calls itself."""

    definition: ast.ClassDef
    self_name: str


NO_WEIGHTS = re.compile("opt|sched|scal", re.IGNORECASE)
"""Names of what has a state of other things, where its kind is not known."""


class Types:
    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees
        self.names = trees.ask(Names, tree)
        self.classes = trees.ask(Classes, tree)
        self.flow = trees.ask(Flow, tree)
        self.calls = trees.ask(Calls, tree)
        self.usage = trees.ask(Usage, tree)
        self.registries = trees.ask(Registries, tree)

    def of(self, tree: Tree) -> Types:
        """The same subject of another file."""
        return self if tree is self.tree else self.trees.ask(Types, tree)

    def callers(self, function: Function) -> Iterator[tuple[Tree, ast.Call]]:
        """The calls of a function of this file, wherever in the project they are, those of this file
        first: who asks for one after the other may spare the others."""
        for tree in self.trees.calling(Definition(self.tree, function)):
            for call in self.of(tree)._calls_to(function):
                yield tree, call
        owner = self.tree.parent.get(function)
        if function.name == "__init__" and isinstance(owner, ast.ClassDef):
            yield from self._constructions(owner)

    def callers_of_class(self, owner: ast.ClassDef) -> Iterator[tuple[Tree, ast.Call]]:
        for tree in self.trees.calling(Definition(self.tree, owner)):
            for call in self.of(tree)._calls_to(owner):
                yield tree, call

    def _constructions(
        self, owner: ast.ClassDef, depth: int = DEEPEST
    ) -> Iterator[tuple[Tree, ast.Call]]:
        """The calls that the constructor of a class gets its arguments from: those of the class, of
        subclasses that have no other or pass on what theirs is given, and what the others call it with."""
        yield from self.callers_of_class(owner)
        for heir in self.classes.direct_subclasses(owner) if depth else ():
            upward = self.classes.of(heir.tree).constructs_parent(heir.node)
            if upward is None:
                inner = self.of(heir.tree)
                yield from inner._constructions(cast(ast.ClassDef, heir.node), depth - 1)
            else:
                yield from ((heir.tree, call) for call in upward)

    @cached_property
    def _calls(self) -> dict[ast.AST, list[ast.Call]]:
        return {}

    def _calls_to(self, function: ast.ClassDef | Function) -> list[ast.Call]:
        """The calls in this file of a function or class of the project."""
        if function not in self._calls:
            self._calls[function] = []  # for functions that call each other
            self._calls[function] = [
                call
                for call in self.calls.calls_by_name.get(function.name, ())
                if (found := self.definition(call.func)) is not None and found.node is function
            ]
        return self._calls[function]

    def argument_values(self, argument: ast.AST) -> Iterator[tuple[Tree, ast.expr | None]]:
        """What the calls of its function give to an argument, each with the file of the call; None where one
        leaves it out."""
        function = self.tree.enclosing_function(argument)
        if function is not None and isinstance(argument, ast.arg):
            for tree, call in self.callers(function):
                yield tree, self.calls.of(tree).bound_argument(call, function, argument.arg)

    def has_many_callers(self, function: Function) -> bool:
        """Whether `callers` has but a part of them."""
        return self.trees.has_many_callers(Definition(self.tree, function))

    def silent_forward(self) -> tuple[str, ast.stmt] | None:
        """The one module of the file whose forward returns nothing, and the last statement of that."""
        found: list[tuple[str, ast.stmt]] = []
        for owner in self.tree.nodes(ast.ClassDef):
            forward = member(owner, ["forward"])
            if isinstance(forward, FUNCTIONS) and self.kind_of_class(owner) is Kind.MODULE:
                last = forward.body[-1]
                value: ast.AST = last.value if isinstance(last, ast.Expr) else last
                computes = isinstance(value, (ast.Assign, ast.AugAssign, ast.Call))
                if computes and not self.tree.returns(forward):
                    found.append((owner.name, last))
        return found[0] if len(found) == 1 else None

    def kind_of_class(self, owner: ast.ClassDef) -> Kind:
        if owner not in self._classes:
            self._classes[owner] = Kind.UNKNOWN  # a class that inherits from itself
            self._classes[owner] = self._kind_of_class(owner)
        return self._classes[owner]

    def _kind_of_class(self, owner: ast.ClassDef) -> Kind:
        for base in owner.bases:
            kind = class_kind(self.names.resolve(base))
            if kind is not Kind.UNKNOWN:
                return kind
        for definition in self.classes.bases(owner):
            kind = self.of(definition.tree).kind_of_class(cast(ast.ClassDef, definition.node))
            if kind is not Kind.UNKNOWN:
                return kind
        return Kind.UNKNOWN

    @cached_property
    def _classes(self) -> dict[ast.AST, Kind]:
        return {}

    @cached_property
    def _definitions(self) -> dict[ast.AST, Definition | None]:
        return {}

    def definition(self, node: ast.AST) -> Definition | None:
        """The class or function of the project that an expression names."""
        if node not in self._definitions:
            self._definitions[node] = None
            self._definitions[node] = self._defined(node)
        return self._definitions[node]

    def _defined(self, node: ast.AST) -> Definition | None:
        named = self.classes.named(node)
        if named is not None or not isinstance(node, ast.Attribute):
            return named
        if not self.trees.files.may_define(node.attr, self.tree.path):
            return None
        if self.classes.self_class(node.value) is not None:
            return None
        instance = self.value_of(node.value).definition
        return self.classes.method(instance, node.attr) if instance else None

    def module_looked_up(self, function: ast.expr) -> ast.expr | None:
        """The module of `getattr(module, name)(...)` or `module.__dict__[name](...)`."""
        match function:
            case ast.Call(func=ast.Name(id="getattr"), args=[module, _]):
                return module
            case ast.Subscript(value=ast.Attribute(value=module, attr="__dict__")):
                return module
        return None

    def layers_of(self, call: ast.Call) -> list[ast.expr]:
        """The modules that a Sequential or ModuleList literal holds."""
        if len(call.args) == 1 and isinstance(call.args[0], (ast.List, ast.Tuple)):
            return call.args[0].elts
        return [] if any(isinstance(a, ast.Starred) for a in call.args) else call.args

    def layer_at(self, call: ast.Call, index: ast.expr) -> ast.expr | None:
        """The module that such a literal has at an index, a number."""
        parts = self.layers_of(call)
        at = index.value if isinstance(index, ast.Constant) else None
        return parts[at] if isinstance(at, int) and -len(parts) <= at < len(parts) else None

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
            self.trees.steps += 1
            try:
                if self.trees.steps < FARTHEST:
                    self._values[node] = self._value(node)
            finally:
                self.trees.steps -= 1
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
            return self.value_of(self.flow.dict_items(node.value).get(node.slice.value))
        if base.dotted in ("torch.nn.Sequential", "torch.nn.ModuleList") and base.call:
            return self.value_of(self.layer_at(base.call, node.slice))
        return UNKNOWN

    def _of_name(self, name: ast.Name) -> Value:
        found = [b for b in self.flow.reaching_definitions(name) if not is_none(b.value)]
        if not found or all(b.how == "import" for b in found):
            return UNKNOWN
        known = agreed(self.bound_value(b) for b in found)
        made = all(b.how == "assign" and isinstance(b.value, ast.Call) for b in found)
        if known is UNKNOWN and made:
            return Value(self.usage.infer_from_usage(self.tree.enclosing_function(name), name.id))
        return known

    def bound_value(self, binding: Binding) -> Value:
        match binding.how:
            case "argument":
                return self._of_argument(cast(ast.arg, binding.node))
            case "assign":
                annotated = self.tree.parent.get(binding.node)
                if isinstance(annotated, ast.AnnAssign):
                    declared = self._annotated(annotated.annotation)
                    return combined(declared, self.value_of(binding.value))
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
        earlier = [
            b for b in self.names.bindings(cast(ast.Name, binding.node)) if b.how != "augment"
        ]
        return Value(agreed(self.bound_value(b) for b in earlier).kind)

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
            if definition := self.resolve_function(value):
                tree = definition.tree
                return agreed(
                    self.of(tree)._unpacked(r, path) for r in tree.returns(definition.node)
                )
        if self.kind_of(value) in (Kind.TENSOR, Kind.BATCH) or self._gives_several(value, path):
            return Value(Kind.TENSOR)
        return UNKNOWN

    def _gives_several(self, call: ast.expr, path: tuple[int, ...]) -> bool:
        """Whether a call of a layer of torch gives several tensors, one of them at this position."""
        layer = self.value_of(call.func).dotted if isinstance(call, ast.Call) else ""
        return path in SEVERAL.get(layer.removeprefix("torch.nn."), ())

    def resolve_function(self, call: ast.Call) -> Definition | None:
        """The function of the project that a call runs, the forward of a module where it is one."""
        function = self.definition(call.func)
        if function is not None:
            return None if isinstance(function.node, ast.ClassDef) else function
        owner, module = self.classes.self_class(call.func), self.value_of(call.func)
        made = Definition(self.tree, owner) if owner is not None else module.definition
        known = owner is not None or module.kind is Kind.MODULE
        return self.classes.method(made, "forward") if known and made is not None else None

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
                return agreed(map(self.value_of, self.flow.dict_items(value.func.value).values()))
        kind = self.kind_of(value)
        if kind is Kind.LOADER:
            return Value(Kind.TENSOR if path else Kind.BATCH)
        if kind in (Kind.TENSOR, Kind.BATCH):
            return Value(Kind.TENSOR)
        return UNKNOWN

    def _of_argument(self, argument: ast.arg) -> Value:
        declared = self._annotated(argument.annotation) if argument.annotation else UNKNOWN
        function = self.tree.enclosing_function(argument)
        if function is None or not self._is_given(argument, function):
            return declared if declared.kind is not Kind.UNKNOWN else UNKNOWN
        if declared.kind is not Kind.UNKNOWN and declared.kind not in MADE:
            return declared
        given = agreed(
            self.of(tree).value_of(self.calls.of(tree).bound_argument(call, function, argument.arg))
            for tree, call in self.callers(function)
        )
        known = combined(declared, given)
        if known is UNKNOWN:
            return Value(self.usage.infer_from_usage(function, argument.arg))
        return known

    def _is_given(self, argument: ast.arg, function: Function) -> bool:
        """Whether calls give an argument of a function one value, as they do not `self` and `*args`."""
        if self.tree.parent.get(argument) is not function.args:
            return False
        if argument in (function.args.vararg, function.args.kwarg):
            return False
        first = self.tree.parameters(function)[:1] == [argument]
        return not (first and self.classes.is_method(function))

    def _annotated(self, annotation: ast.expr) -> Value:
        match annotation:
            case ast.Constant(value=str(text)):
                return self._named(text.rpartition(".")[2].strip("\"' "))
            case ast.BinOp(op=ast.BitOr()):
                sides = [s for s in (annotation.left, annotation.right) if not is_none(s)]
                return agreed(self._annotated(side) for side in sides)
            case ast.Subscript() if self.names.resolve(annotation.value) == "typing.Optional":
                return self._annotated(annotation.slice)
        return self._instance(self.names.resolve(annotation), self.definition(annotation), None)

    def _named(self, name: str) -> Value:
        """A forward reference: the last part of a name in quotes."""
        bound = self.names.scopes[self.tree.root].bindings.get(name, [])
        if len(bound) == 1 and bound[0].how == "class":
            definition = Definition(self.tree, cast(ast.ClassDef, bound[0].node))
            return self._instance("", definition, None)
        return Value(Kind.TENSOR) if name == "Tensor" else UNKNOWN

    def _of_call(self, call: ast.Call) -> Value:
        if built := self.registries.registry_entries(call.func):
            return agreed(self._instance("", each, call) for each in built)
        if (made := self._made_by(call.func, call)) is not UNKNOWN or self.definition(call.func):
            return made
        if isinstance(call.func, ast.Attribute):
            return self._of_method(call, call.func)
        if kind := NAMED_IN.get(self.names.resolve(self.module_looked_up(call.func))):
            return Value(kind)
        if chosen := self.flow.table_entries(call.func):
            return agreed(self._made_by(each, call) for each in chosen)
        return self._forwarded(call, self.value_of(call.func))

    def _made_by(self, function: ast.expr, call: ast.Call) -> Value:
        """What a call of a function or class gives that is known by name or defined in the project."""
        dotted = self.names.resolve(function)
        definition = self.definition(function)
        if definition is not None and isinstance(definition.node, ast.ClassDef):
            return self._instance(dotted, definition, call)
        if definition is not None:
            tree = definition.tree
            return agreed(self.of(tree).value_of(r) for r in tree.returns(definition.node))
        return self._made(dotted, call) if dotted else UNKNOWN

    def _instance(self, dotted: str, definition: Definition | None, call: ast.Call | None) -> Value:
        """An instance of a class that is known by name or defined in the project."""
        if definition is not None and isinstance(definition.node, ast.ClassDef):
            kind = self.of(definition.tree).kind_of_class(definition.node)
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
        if method.attr == "softmax" and along_a_dimension(call) and not self.names.resolve(method):
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
        found = self.classes.of(module.definition.tree).method(module.definition, "forward")
        if found is None:
            return UNKNOWN
        return Value(
            agreed(
                self.of(found.tree).value_of(r)
                for r in found.tree.returns(cast(Function, found.node))
            ).kind
        )

    def _of_attribute(self, node: ast.Attribute) -> Value:
        owner = self.classes.self_class(node.value)
        if owner is not None:
            return self._on_own(owner, node.attr)
        base = self.value_of(node.value)
        if base.kind is Kind.TENSOR and node.attr in TENSOR_ATTRIBUTES:
            return Value(Kind.TENSOR)
        if base.definition is not None:
            return self.of(base.definition.tree)._on_self(
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
        if own is not UNKNOWN or self.classes.sets_attribute(owner, name):
            return own
        heirs = [
            h
            for h in self.classes.subclasses(owner)
            if self.classes.of(h.tree).sets_attribute(h.node, name)
        ]
        return agreed(self.of(h.tree)._on_self(cast(ast.ClassDef, h.node), name) for h in heirs)

    def _on_self(self, owner: ast.ClassDef, name: str) -> Value:
        given = [v for v in self.classes.attributes(owner).get(name, []) if not is_none(v[0])]
        if given:
            return agreed(self._unpacked(value, path) for value, path in given)
        for base in self.classes.bases(owner):
            if (
                value := self.of(base.tree)._on_self(cast(ast.ClassDef, base.node), name)
            ).kind is not Kind.UNKNOWN:
                return value
        return UNKNOWN

    def enclosing_module(self, node: ast.AST) -> Module | None:
        """The module class whose method a node is in."""
        function = self.tree.enclosing_function(node)
        while function is not None:
            owner = self.tree.parent.get(function)
            if (
                isinstance(owner, ast.ClassDef)
                and self.classes.is_method(function)
                and self.kind_of_class(owner) in MODULES
            ):
                arguments = self.tree.parameters(function)
                return Module(owner, arguments[0].arg) if arguments else None
            function = self.tree.enclosing_function(function)
        return None

    def has_weights(self, owner: ast.expr) -> bool:
        value = self.value_of(owner)
        if value.definition is not None and self.classes.method(value.definition, "state_dict"):
            return False
        named_so = NO_WEIGHTS.search(ast.unparse(owner)) is None
        return value.kind is Kind.MODULE or (value.kind is Kind.UNKNOWN and named_so)
