"""Values of abstract execution: constants, unknowns with an identity, tensors, heap objects, functions."""

from __future__ import annotations

import ast
from enum import Enum
from itertools import count
from typing import Any, NamedTuple

from keng.source.tree import Function as FunctionNode
from keng.source.tree import Tree

_numbers = count(1)


def fresh() -> int:
    """A number that no value has yet; what is made later has a higher one."""
    return next(_numbers)


class Role(Enum):
    """What a heap object is to a training program."""

    MODULE = "module"
    LOSS = "loss"
    OPTIMIZER = "optimizer"
    SCHEDULER = "scheduler"
    LOADER = "loader"
    SAMPLER = "sampler"
    SCALER = "scaler"
    ACCELERATOR = "accelerator"
    PARAMETERS = "parameters"
    STATE = "state dict"
    SEQUENCE = "sequence"
    DICT = "dict"
    ENUMERATION = "enumeration"
    ZIP = "zip"
    CONTEXT = "context manager"
    INSTANCE = "instance"
    PARENT = "super()"


class Cut(NamedTuple):
    """Where gradients stop: `how` is what stops them (`.detach()`, `no_grad`), `sources` what they
    reach no more."""

    how: str
    node: ast.AST
    tree: Tree
    sources: frozenset[int]


class Gradient(NamedTuple):
    """Numbers of the modules and parameters whose gradient flows into a tensor, and what was cut from
    it. Not `known` where something unknown may contribute."""

    sources: frozenset[int] = frozenset()
    cuts: frozenset[Cut] = frozenset()
    known: bool = True


CONSTANT = Gradient()
UNKNOWN = Gradient(known=False)


class Value:
    """A value that the program may have."""

    __slots__ = ()


class Constant(Value):
    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value


NONE, TRUE, FALSE = Constant(None), Constant(True), Constant(False)


class Symbol(Value):
    """An unknown value that is equal to itself. `how` says how it was made, where that identifies it;
    `name` is what the program calls it. A `plain` one is a number or a text without gradient."""

    __slots__ = ("fields", "how", "name", "number", "plain")

    def __init__(self, name: str, how: tuple[Any, ...] = (), plain: bool = False) -> None:
        self.number = fresh()
        self.name = name
        self.how = how
        self.plain = plain
        self.fields: dict[object, Any] = {}

    @property
    def operator(self) -> str:
        return str(self.how[0]) if self.how else ""


class Tensor(Value):
    """A tensor, or several that belong together. `parts` are the tensors that it is computed from."""

    __slots__ = ("gradient", "number", "parts")

    def __init__(self, gradient: Gradient = CONSTANT, parts: tuple[Tensor, ...] = ()) -> None:
        self.number = fresh()
        self.gradient = gradient
        self.parts = parts


class Phi(Value):
    """`yes` where the condition holds, and `no` elsewhere."""

    __slots__ = ("condition", "no", "yes")

    def __init__(self, condition: Value, yes: Value, no: Value) -> None:
        self.condition = condition
        self.yes = yes
        self.no = no


class Object(Value):
    """An object of the heap, one for each allocation. `fields` holds attributes as ".name" and items as
    ("item", key). `of` are the numbers of the modules whose parameters it holds. A `summary` stands for
    several objects, a `given` one for an argument that nobody passes: its class is unknown."""

    __slots__ = (
        *("class_", "dotted", "fields", "given", "items", "node", "number", "of"),
        *("role", "summary", "tree"),
    )

    def __init__(self, role: Role, dotted: str = "", class_: Class | None = None) -> None:
        self.number = fresh()
        self.role = role
        self.dotted = dotted
        self.class_ = class_
        self.node: ast.AST | None = None
        self.tree: Tree | None = None
        self.of: frozenset[int] = frozenset()
        self.items: tuple[Value, ...] | None = None
        self.fields: dict[object, Any] = {}
        self.summary = False
        self.given = False


class Scope:
    """The names of a function or module; `outer` are declared global or nonlocal."""

    __slots__ = ("outer", "up", "values")

    def __init__(self, up: Scope | None = None) -> None:
        self.values: dict[object, Any] = {}
        self.up = up
        self.outer: set[str] = set()


class Namespace(Value):
    """A module of the project. `statements` are those at its top that bind a name."""

    __slots__ = ("scope", "statements", "tree")

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.scope = Scope()
        self.statements: dict[str, ast.stmt] = {}


class Class(Value):
    __slots__ = ("bases", "fields", "home", "node")

    def __init__(self, node: ast.ClassDef, home: Namespace, bases: list[Value]) -> None:
        self.node = node
        self.home = home
        self.bases = bases
        self.fields: dict[object, Any] = {}


class Function(Value):
    __slots__ = ("home", "node", "owner", "scope")

    def __init__(
        self, node: FunctionNode | ast.Lambda, home: Namespace, scope: Scope, owner: Class | None
    ) -> None:
        self.node = node
        self.home = home
        self.scope = scope
        self.owner = owner


class Bound(Value):
    """A function of the project with its receiver."""

    __slots__ = ("function", "receiver")

    def __init__(self, function: Function, receiver: Value) -> None:
        self.function = function
        self.receiver = receiver


class Method(Value):
    """A method whose code is not part of the project."""

    __slots__ = ("name", "receiver")

    def __init__(self, receiver: Value, name: str) -> None:
        self.receiver = receiver
        self.name = name


class External(Value):
    """Something of a library or a builtin, by its dotted name."""

    __slots__ = ("dotted",)

    def __init__(self, dotted: str) -> None:
        self.dotted = dotted


def leaves(value: Value) -> list[Value]:
    """What a value may be, its conditions left out."""
    if isinstance(value, Phi):
        return leaves(value.yes) + leaves(value.no)
    return [value]


def sequence(items: tuple[Value, ...] | None, element: Value | None = None) -> Object:
    """A tuple or list; one of unknown length has an `element` that stands for all."""
    made = Object(Role.SEQUENCE)
    made.items = items
    if element is not None:
        made.fields["element"] = element
    return made


def contents(value: Object) -> list[Value]:
    """The known items of a sequence or dict."""
    inside = [v for k, v in value.fields.items() if not isinstance(k, str) or k == "element"]
    return [*(value.items or ()), *inside]


def joined(gradients: list[Gradient]) -> Gradient:
    """The gradient of what is computed from several tensors."""
    gradients = [each for each in gradients if each is not CONSTANT] or [CONSTANT]
    if len(gradients) == 1:
        return gradients[0]
    none: frozenset[Any] = frozenset()
    return Gradient(
        none.union(*(g.sources for g in gradients)),
        none.union(*(g.cuts for g in gradients)),
        all(g.known for g in gradients),
    )
