"""The third layer: what kind of thing an expression is, from positive evidence only.

Evidence is an annotation, a constructor, a method that only tensors have on something known, tensor
arithmetic, indexing, what a loader unpacks to, a base class, or what `__init__` puts on an attribute.
A name is no evidence, and unknown stays unknown.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, cast

from keng.data import torch_names as known
from keng.source.index import FUNCTIONS, Function
from keng.source.names import Binding, Definition, Names
from keng.source.tables import (
    FACTORIES,
    HOST_METHODS,
    MODULE_BASES,
    MODULE_CHAIN,
    RESHAPES,
    TENSOR_ATTRIBUTES,
    TENSOR_ONLY,
    WRAPPERS,
)

if TYPE_CHECKING:
    from keng.source.code import Code


class Kind(Enum):
    TENSOR = "tensor"
    MODULE = "module"
    CRITERION = "criterion"
    OPTIMIZER = "optimizer"
    SCHEDULER = "scheduler"
    LOADER = "loader"
    DATASET = "dataset"
    SCALER = "scaler"
    BATCH = "batch"
    ARRAY = "array"
    NUMBER = "number"
    OTHER = "other"
    UNKNOWN = "unknown"


class Value(NamedTuple):
    """What an expression is: its kind, the dotted name of what made it, the call that made it with
    the file that it stands in, and the class where it is one of the project's."""

    kind: Kind = Kind.UNKNOWN
    dotted: str = ""
    call: ast.Call | None = None
    definition: Definition | None = None


UNKNOWN = Value()
MODULES = {Kind.MODULE, Kind.CRITERION}


def agreed(values: Iterable[Value]) -> Value:
    """The one value that all are, the one kind that all have, or unknown."""
    different = set(values)
    if not different:
        return UNKNOWN
    if len(different) == 1:
        return different.pop()
    kinds = {value.kind for value in different}
    return Value(kinds.pop()) if len(kinds) == 1 else UNKNOWN


class Kinds(Names):
    _values: dict[ast.AST, Value] | None = None

    def kind_of(self, node: ast.AST | None) -> Kind:
        return self.value_of(node).kind

    def value_of(self, node: ast.AST | None) -> Value:
        if node is None:
            return UNKNOWN
        if self._values is None:
            self._values = {}
        if node not in self._values:
            self._values[node] = UNKNOWN  # what a value that depends on itself is
            self._values[node] = self._value(node)
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
            case (
                ast.Constant()
                | ast.JoinedStr()
                | ast.List()
                | ast.Dict()
                | ast.Set()
                | ast.Lambda()
            ):
                return Value(Kind.OTHER)
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
        return UNKNOWN

    def _arithmetic(self, *operands: ast.expr) -> Value:
        kinds = {self.kind_of(operand) for operand in operands}
        if Kind.TENSOR in kinds:
            return Value(Kind.TENSOR)
        return Value(Kind.NUMBER) if kinds == {Kind.NUMBER} else UNKNOWN

    def _item(self, node: ast.Subscript) -> Value:
        base = self.value_of(node.value)
        if base.kind in (Kind.TENSOR, Kind.BATCH):
            return Value(Kind.TENSOR)
        if (
            base.kind in MODULES
            and base.dotted in ("torch.nn.Sequential", "torch.nn.ModuleList")
            and base.call
        ):
            index = node.slice
            if isinstance(index, ast.Constant) and isinstance(index.value, int):
                parts = self._parts(base.call)
                if -len(parts) <= index.value < len(parts):
                    return self.value_of(parts[index.value])
        return UNKNOWN

    def _parts(self, call: ast.Call) -> list[ast.expr]:
        """The modules that a Sequential or ModuleList literal holds."""
        if len(call.args) == 1 and isinstance(call.args[0], (ast.List, ast.Tuple)):
            return call.args[0].elts
        return [] if any(isinstance(a, ast.Starred) for a in call.args) else call.args

    # names

    def _of_name(self, name: ast.Name) -> Value:
        found = self.reaching(name)
        if found and all(b.how == "import" for b in found):
            return UNKNOWN
        return (
            agreed([self._bound_value(b) for b in found if not is_none(b.value)])
            if found
            else UNKNOWN
        )

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
            definition = self.definition(value.func)
            if definition and not isinstance(definition.node, ast.ClassDef):
                return agreed(
                    definition.code._unpacked(r, path)
                    for r in definition.code.returns(definition.node)
                )
        if self.kind_of(value) in (Kind.TENSOR, Kind.BATCH):
            return Value(Kind.TENSOR)
        return UNKNOWN

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
        if self.is_method(function) and argument is self._arguments(function)[0]:
            return UNKNOWN
        given = [
            code.value_of(code.passed(call, function, argument.arg))
            for code, call in self.callers(function)
        ]
        return agreed(given) if given else UNKNOWN

    def callers(self, function: Function) -> list[tuple[Code, ast.Call]]:
        """The calls of a function of this file, wherever in the project they are."""
        return self.project.calls_of(Definition(self.me, function))

    @cached_property
    def calls_by_name(self) -> dict[str, list[ast.Call]]:
        """Calls by the last part of what is called: `f(...)` and `a.f(...)` under "f"."""
        found: dict[str, list[ast.Call]] = {}
        for call in self.of(ast.Call):
            if isinstance(call.func, ast.Attribute):
                found.setdefault(call.func.attr, []).append(call)
            elif isinstance(call.func, ast.Name):
                found.setdefault(call.func.id, []).append(call)
        return found

    def passed(self, call: ast.Call, function: Function, name: str) -> ast.expr | None:
        """The expression that a call gives to a parameter of a function of the project."""
        for keyword in call.keywords:
            if keyword.arg == name:
                return keyword.value
        names = [a.arg for a in self._arguments(function)]
        bound = isinstance(call.func, ast.Attribute) or bool(names and names[0] == "self")
        if names and names[0] in ("self", "cls") and bound:
            names = names[1:]
        if name in names and not any(isinstance(a, ast.Starred) for a in call.args):
            position = names.index(name)
            return call.args[position] if position < len(call.args) else None
        return None

    def _arguments(self, function: Function) -> list[ast.arg]:
        return [*function.args.posonlyargs, *function.args.args]

    def _annotated(self, annotation: ast.expr) -> Value:
        match annotation:
            case ast.Constant(value=str(text)):
                return self._named(text.rpartition(".")[2].strip("\"' "), annotation)
            case ast.BinOp(op=ast.BitOr()):
                sides = [s for s in (annotation.left, annotation.right) if not is_none(s)]
                return agreed(self._annotated(side) for side in sides)
            case ast.Subscript() if self.resolve(annotation.value) == "typing.Optional":
                return self._annotated(annotation.slice)
        return self._instance(self.resolve(annotation), self.definition(annotation), None)

    def _named(self, name: str, at: ast.AST) -> Value:
        """A forward reference: the last part of a name in quotes."""
        if name == "Tensor":
            return Value(Kind.TENSOR)
        bound = self.scopes[self.tree].bindings.get(name, [])
        if len(bound) == 1 and bound[0].how == "class":
            definition = Definition(self.me, cast(ast.ClassDef, bound[0].node))
            return self._instance("", definition, None)
        return UNKNOWN

    # calls

    def _of_call(self, call: ast.Call) -> Value:
        dotted = self.resolve(call.func)
        definition = self.definition(call.func)
        if definition is not None and isinstance(definition.node, ast.ClassDef):
            return self._instance(dotted, definition, call)
        if definition is not None:
            code = definition.code
            return agreed(code.value_of(r) for r in code.returns(definition.node))
        if dotted and (made := self._made(dotted, call)).kind is not Kind.UNKNOWN:
            return made
        if isinstance(call.func, ast.Attribute):
            return self._of_method(call, call.func)
        return self._forwarded(call, self.value_of(call.func))

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

    def returns(self, function: ast.AST) -> list[ast.expr]:
        """What a function may return."""
        own = [r for r in self.below(function, ast.Return) if self.function_around(r) is function]
        return [r.value for r in own if r.value is not None]

    # attributes and classes

    def _of_attribute(self, node: ast.Attribute) -> Value:
        owner = self.self_class(node.value)
        if owner is not None:
            return self._on_self(owner, node.attr)
        base = self.value_of(node.value)
        if base.kind is Kind.TENSOR and node.attr in TENSOR_ATTRIBUTES:
            return Value(Kind.TENSOR)
        if base.definition is not None:
            return base.definition.code._on_self(
                cast(ast.ClassDef, base.definition.node), node.attr
            )
        if base.kind is Kind.MODULE and node.attr == "module":
            return Value(Kind.MODULE)
        return UNKNOWN

    def self_class(self, node: ast.AST) -> ast.ClassDef | None:
        """The class whose instance a `self` is."""
        if not isinstance(node, ast.Name):
            return None
        function = self.function_around(node)
        while function is not None:
            if self.is_method(function):
                arguments = self._arguments(function)
                if arguments and arguments[0].arg == node.id:
                    return cast(ast.ClassDef, self.parent[function])
                return None
            function = self.function_around(function)
        return None

    def is_method(self, function: Function) -> bool:
        static = any(self.resolve(d) == "builtins.staticmethod" for d in function.decorator_list)
        return isinstance(self.parent.get(function), ast.ClassDef) and not static

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

    _attributes: dict[ast.AST, dict[str, list[tuple[ast.expr | None, tuple[int, ...]]]]] | None = (
        None
    )

    def attributes(
        self, owner: ast.ClassDef
    ) -> dict[str, list[tuple[ast.expr | None, tuple[int, ...]]]]:
        """What the methods of a class put on `self`: name -> (value, position in it)."""
        if self._attributes is None:
            self._attributes = {}
            for node in self.of(ast.Attribute):
                if (
                    isinstance(node.ctx, ast.Store)
                    and (there := self.self_class(node.value)) is not None
                ):
                    value, path = self._assigned(node)
                    self._attributes.setdefault(there, {}).setdefault(node.attr, []).append(
                        (value, path)
                    )
        return self._attributes.get(owner, {})

    def _assigned(self, target: ast.expr) -> tuple[ast.expr | None, tuple[int, ...]]:
        path: tuple[int, ...] = ()
        child: ast.AST = target
        for above in self.ancestors(target):
            if isinstance(above, (ast.Tuple, ast.List)):
                path = (above.elts.index(cast(ast.expr, child)), *path)
            elif isinstance(above, (ast.Assign, ast.AnnAssign)):
                return above.value, path
            else:
                break
            child = above
        return None, ()

    def bases(self, owner: ast.ClassDef) -> Iterator[Definition]:
        """The base classes that the project defines."""
        for base in owner.bases:
            definition = self.definition(base)
            if (
                definition is not None
                and isinstance(definition.node, ast.ClassDef)
                and definition.node is not owner
            ):
                yield definition

    def kind_of_class(self, owner: ast.ClassDef) -> Kind:
        for base in owner.bases:
            kind = class_kind(self.resolve(base))
            if kind is not Kind.UNKNOWN:
                return kind
        for definition in self.bases(owner):
            kind = definition.code._kind_of_class_once(cast(ast.ClassDef, definition.node))
            if kind is not Kind.UNKNOWN:
                return kind
        return Kind.UNKNOWN

    _classes: dict[ast.AST, Kind] | None = None

    def _kind_of_class_once(self, owner: ast.ClassDef) -> Kind:
        if self._classes is None:
            self._classes = {}
        if owner not in self._classes:
            self._classes[owner] = Kind.UNKNOWN  # a class that inherits from itself
            self._classes[owner] = self.kind_of_class(owner)
        return self._classes[owner]

    def member(self, node: ast.AST, names: list[str]) -> ast.ClassDef | Function | None:
        """A definition nested in another, by its path."""
        for name in names:
            inner = [d for d in getattr(node, "body", []) if getattr(d, "name", None) == name]
            if len(inner) != 1 or not isinstance(inner[0], (ast.ClassDef, *FUNCTIONS)):
                return None
            node = inner[0]
        return cast("ast.ClassDef | Function", node)

    def method(self, definition: Definition, name: str, depth: int = 8) -> Definition | None:
        """A method of a class of the project, looked for in its bases too."""
        node = definition.code.member(definition.node, [name])
        if node is not None:
            return Definition(definition.code, node)
        if depth and isinstance(definition.node, ast.ClassDef):
            for base in definition.code.bases(definition.node):
                if found := base.code.method(base, name, depth - 1):
                    return found
        return None

    _definitions: dict[ast.AST, Definition | None] | None = None

    def definition(self, node: ast.AST) -> Definition | None:
        """The class or function of the project that an expression names."""
        if self._definitions is None:
            self._definitions = {}
        if node not in self._definitions:
            self._definitions[node] = None
            self._definitions[node] = self._defined(node)
        return self._definitions[node]

    def _defined(self, node: ast.AST) -> Definition | None:
        if isinstance(node, ast.Name):
            found = self.bindings(node)
            if len(found) == 1 and found[0].how in ("def", "class"):
                return Definition(self.me, cast("ast.ClassDef | Function", found[0].node))
            if len(found) == 1 and found[0].how == "import":
                there = self.project.follow(found[0].dotted, self.me)
                return there.definition if there else None
            if not found and (dotted := self.resolve(node)) and not dotted.startswith("builtins."):
                there = self.project.follow(dotted, self.me)
                return there.definition if there else None
            return None
        if isinstance(node, ast.Attribute):
            owner = self.self_class(node.value)
            if owner is not None:
                return self.method(Definition(self.me, owner), node.attr)
            dotted = self.resolve(node)
            if dotted and not dotted.startswith(("torch.", "numpy.", "builtins.")):
                there = self.project.follow(dotted, self.me)
                if there and there.definition:
                    return there.definition
            instance = self.value_of(node.value).definition
            return self.method(instance, node.attr) if instance else None
        return None

    # origins

    def origins(self, node: ast.expr, depth: int = 12) -> list[Value]:
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

    def _origin_of_binding(self, binding: Binding, depth: int) -> list[Value]:
        if binding.how == "assign" and binding.value is not None and not binding.path:
            return self.origins(binding.value, depth - 1)
        return [Value(self._bound_value(binding).kind)]

    def _origins_of_call(self, call: ast.Call, depth: int) -> list[Value]:
        if isinstance(call.func, ast.Attribute) and call.func.attr in RESHAPES:
            return self.origins(call.func.value, depth - 1)
        function = self.definition(call.func)
        if function is not None and not isinstance(function.node, ast.ClassDef):
            return self._returned(function, depth)
        module = self.value_of(call.func)
        if module.kind is Kind.MODULE and module.definition is not None:
            forward = self.method(module.definition, "forward")
            return self._returned(forward, depth) if forward else [UNKNOWN]
        if (
            module.kind is Kind.MODULE
            and module.dotted == "torch.nn.Sequential"
            and module.call is not None
        ):
            parts = self._parts(module.call)
            return [self.value_of(parts[-1])] if parts else [UNKNOWN]
        return [self.value_of(call)]

    def _returned(self, function: Definition, depth: int) -> list[Value]:
        code = function.code
        found = [o for r in code.returns(function.node) for o in code.origins(r, depth - 1)]
        return found or [UNKNOWN]


def is_none(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def class_kind(dotted: str) -> Kind:
    """The kind of an instance of a class outside the project."""
    home, _, name = dotted.rpartition(".")
    if home == "torch.nn":
        if name in known.LOSSES:
            return Kind.CRITERION
        if name == "Parameter":
            return Kind.TENSOR
        return Kind.MODULE if name in known.MODULES else Kind.UNKNOWN
    if home == "torch.optim" and name in known.OPTIMIZERS:
        return Kind.OPTIMIZER
    if home == "torch.optim.lr_scheduler" and name in known.SCHEDULERS:
        return Kind.SCHEDULER
    if home == "torch.utils.data":
        return (
            Kind.LOADER
            if name == "DataLoader"
            else Kind.DATASET
            if name in known.DATASETS
            else Kind.UNKNOWN
        )
    if dotted in (
        "torch.Tensor",
        "torch.FloatTensor",
        "torch.LongTensor",
        "torch.autograd.Variable",
    ):
        return Kind.TENSOR
    if dotted == "torch.amp.GradScaler":
        return Kind.SCALER
    if dotted in ("numpy.ndarray", "numpy.array"):
        return Kind.ARRAY
    return Kind.MODULE if dotted in MODULE_BASES else Kind.UNKNOWN


def function_kind(dotted: str) -> Kind:
    """The kind that a function outside the project returns."""
    home, _, name = dotted.rpartition(".")
    if home == "torch":
        return Kind.TENSOR if name in known.TENSOR_FUNCTIONS else Kind.UNKNOWN
    if home == "torch.nn.functional":
        return Kind.TENSOR
    if home == "numpy":
        return Kind.ARRAY
    if home in ("builtins", "math") and name in (
        "len",
        "float",
        "int",
        "abs",
        "round",
        "sqrt",
        "log",
        "exp",
    ):
        return Kind.NUMBER if name in ("len", "float", "int") or home == "math" else Kind.UNKNOWN
    if any(dotted.startswith(prefix) for prefix in FACTORIES):
        return Kind.MODULE
    return Kind.UNKNOWN
