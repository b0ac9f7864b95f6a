"""Values of expressions on a live frame, found without running any code of the program or of a library.

Whatever is not on the short list of harmless operations is unknown: properties, `__getattr__`, operators and
truth of foreign classes, calls of functions, elements of tensors.
"""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import operator
import time
import types
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from types import FrameType
from typing import Any

LIMIT_SECONDS = 0.2
LIMIT_NODES = 2000
LARGEST_CONTAINER = 1000
MOST_LOOPS = 200
LARGEST_NUMBER = 10**30

PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), slice, range)
CONTAINERS = (list, tuple, set, frozenset)
VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()))
LIBRARIES = ("torch", "numpy", "pandas", "functools")
ATTRIBUTES = {
    "Tensor": "shape dtype device ndim requires_grad layout is_sparse is_leaf is_quantized",
    "ndarray": "shape dtype ndim size",
    "generic": "shape dtype ndim size",
    "device": "type index",
    "dtype": "is_floating_point is_complex itemsize name kind",
    "partial": "func args keywords",
}
"""Attributes of classes of C that are numbers, names or shapes."""

METHODS = {
    "Tensor": "size dim numel is_floating_point ndimension is_complex",
    "Size": "numel count index",
    "str": "startswith endswith lower upper strip split isidentifier isdigit",
    "dict": "get keys values items",
    "list": "index count",
    "tuple": "index count",
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        *(len, abs, min, max, sum, any, all, sorted, int, float, bool, str, round, divmod),
        *(set, list, tuple, range, zip, enumerate),
    )
}
BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
}
COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda one, other: one in other,
    ast.NotIn: lambda one, other: one not in other,
}
HARMLESS_METACLASSES = ("ABCMeta", "_ParameterMeta", "_TensorMeta", "EnumMeta", "EnumType")
"""They compare classes by identity."""


class Unknown(Exception):  # noqa: N818  # no error: the answer to a question
    """The value cannot be found harmlessly."""


class Evaluator:
    """Evaluates expressions on a live frame, or with the values that a message gives. `known` maps the text
    of an expression to its value; `own` are the names that the function binds, which are no builtins."""

    def __init__(
        self,
        frame: FrameType | None,
        known: Mapping[str, Any] = types.MappingProxyType({}),
        own: Collection[str] = (),
    ) -> None:
        self._scopes: list[Mapping[str, Any]] = []
        if frame is not None:
            self._scopes = [frame.f_locals, frame.f_globals]
        self._scopes.append({k: v for k, v in vars(builtins).items() if k not in own})
        self._known = known
        self._live = frame is not None
        self._end = 0.0
        self._left = 0

    def __call__(self, node: ast.expr) -> Any:
        """The value of an expression. Raises Unknown."""
        self._end, self._left = time.thread_time() + LIMIT_SECONDS, LIMIT_NODES
        return self._value(node)

    def truth(self, node: ast.expr) -> bool | None:
        """Whether an expression is true; None if that is unknown."""
        try:
            return _truth(self(node))
        except Unknown:
            return None

    def _value(self, node: ast.expr) -> Any:
        self._left -= 1
        if self._left < 0 or time.thread_time() > self._end:
            raise Unknown
        try:
            return self._evaluated(node)
        except Exception:
            text = ast.unparse(node) if self._known else ""
            if text in self._known:
                return self._known[text]
            raise Unknown from None

    def _evaluated(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name):
                return self._name(name)
            case ast.Attribute(value=owner, attr=name):
                return attribute(self._value(owner), name)
            case ast.Subscript(value=owner, slice=index):
                return _item(self._value(owner), self._value(index))
            case ast.Slice(lower=lower, upper=upper, step=step):
                return slice(
                    *(self._value(e) if e is not None else None for e in (lower, upper, step))
                )
            case ast.Tuple(elts=elements):
                return tuple(self._value(each) for each in elements)
            case ast.List(elts=elements):
                return [self._value(each) for each in elements]
            case ast.Set(elts=elements):
                return {_plain(self._value(each)) for each in elements}
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._value(body if _truth(self._value(test)) else orelse)
        return self._computed(node)

    def _computed(self, node: ast.expr) -> Any:
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return not _truth(self._value(operand))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -_plain(self._value(operand))
            case ast.BoolOp(op=op, values=values):
                return self._logic(isinstance(op, ast.And), values)
            case ast.BinOp(left=left, op=op, right=right):
                return _binary(op, _plain(self._value(left)), _plain(self._value(right)))
            case ast.Compare():
                return self._compared(node)
            case ast.Call():
                return self._called(node)
            case ast.ListComp() | ast.GeneratorExp():
                return list(self._loop(node))
            case ast.SetComp():
                return {_plain(each) for each in self._loop(node)}
        raise Unknown

    def _name(self, name: str) -> Any:
        for scope in self._scopes:
            if name in scope:
                return scope[name]
        raise Unknown

    def _logic(self, every: bool, values: list[ast.expr]) -> Any:
        value = None
        for each in values:
            value = self._value(each)
            if _truth(value) != every:
                return value
        return value

    def _compared(self, node: ast.Compare) -> bool:
        left = self._value(node.left)
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            right = self._value(comparator)
            if not _compare(op, left, right):
                return False
            left = right
        return True

    def _loop(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp) -> Iterator[Any]:
        loop = node.generators[0]
        if len(node.generators) > 1 or not isinstance(loop.target, ast.Name) or loop.is_async:
            raise Unknown
        elements = list(islice(_iterable(self._value(loop.iter)), MOST_LOOPS + 1))
        if len(elements) > MOST_LOOPS:
            raise Unknown
        outer = self._scopes
        try:
            for each in elements:
                self._scopes = [{loop.target.id: each}, *outer]
                if all(_truth(self._value(test)) for test in loop.ifs):
                    yield self._value(node.elt)
        finally:
            self._scopes = outer

    def _called(self, node: ast.Call) -> Any:
        if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
            raise Unknown
        if isinstance(node.func, ast.Attribute):
            owner = self._value(node.func.value)
            if node.func.attr not in METHODS.get(class_of(owner), "").split():
                raise Unknown
            return getattr(owner, node.func.attr)(*(_plain(self._value(e)) for e in node.args))
        if not isinstance(node.func, ast.Name):
            raise Unknown
        name, function = node.func.id, self._name(node.func.id)
        if function is not vars(builtins).get(name):
            raise Unknown
        return self._builtin(name, node.args)

    def _builtin(self, name: str, arguments: list[ast.expr]) -> Any:
        if name in ("hasattr", "getattr"):
            return self._asked(name, arguments)
        given = [self._value(each) for each in arguments]
        if name == "type" and len(given) == 1:
            return type(given[0])
        if name == "callable":
            return callable(given[0])
        if name == "isinstance":
            return _is_of(type(given[0]), given[1])
        if name == "issubclass" and is_a(given[0], type):
            return _is_of(given[0], given[1])
        if name == "len":
            return length(given[0])
        if name not in FUNCTIONS:
            raise Unknown
        shallow = name in ("zip", "enumerate")
        return FUNCTIONS[name](*(_iterable(e) if shallow else _argument(e) for e in given))

    def _asked(self, name: str, arguments: list[ast.expr]) -> Any:
        owner, attr, *default = arguments
        of, asked = self._value(owner), self._value(attr)
        if type(asked) is not str:
            raise Unknown
        try:
            value = attribute(of, asked)
            return True if name == "hasattr" else value
        except Unknown:
            there = _is_there(of, asked)
            if name == "hasattr":
                return there
            if there or not default:
                raise
            return self._value(default[0])


def attribute(owner: Any, name: str) -> Any:
    """An attribute, found without a property or a `__getattr__` being run. Raises Unknown."""
    if name in ATTRIBUTES.get(class_of(owner), "").split():
        return getattr(owner, name)
    if is_a(owner, types.ModuleType):
        return _of_namespace(types.ModuleType.__getattribute__(owner, "__dict__"), name)
    if is_a(owner, type) and name in ("__name__", "__qualname__"):
        return type.__getattribute__(owner, name)
    if name == "__class__":
        return type(owner)
    own = attributes(owner)
    for store in (own, *(own.get(each) for each in ("_parameters", "_buffers", "_modules"))):
        if type(store) is dict and name in store:
            return store[name]
    return _of_class(owner, name)


def is_a(value: Any, kinds: type | tuple[type, ...]) -> bool:
    """`isinstance` by the type alone: the `__class__` of an object may be a property."""
    return issubclass(type(value), kinds)


def attributes(owner: Any) -> dict[str, Any]:
    """The attributes of an object itself, those of a class left out."""
    with suppress(Exception):
        stored = object.__getattribute__(owner, "__dict__")
        if type(stored) is dict:
            return stored
    return {}


def _of_namespace(names: Mapping[str, Any], name: str) -> Any:
    if name not in names:
        raise Unknown
    return names[name]


def _of_class(owner: Any, name: str) -> Any:
    try:
        found = inspect.getattr_static(owner, name)
    except AttributeError:
        raise Unknown from None
    if type(found) is types.MemberDescriptorType or type(found).__name__ == "_tuplegetter":
        return found.__get__(owner)
    if is_a(found, (*PLAIN, type, tuple, list, dict, frozenset, set)):
        return found
    raise Unknown


def _is_there(owner: Any, name: str) -> bool:
    """Whether an object has an attribute. Raises Unknown where a `__getattr__` would answer."""
    try:
        inspect.getattr_static(owner, name)
        return True
    except AttributeError:
        answering = [kind for kind in _mro(type(owner)) if "__getattr__" in _names(kind)]
        if any(_module(kind) != "torch.nn.modules.module" for kind in answering):
            raise Unknown from None
        return False


def _mro(kind: type) -> tuple[type, ...]:
    return type.__dict__["__mro__"].__get__(kind)  # type: ignore[no-any-return]


def _names(kind: type) -> Mapping[str, Any]:
    return type.__dict__["__dict__"].__get__(kind)  # type: ignore[no-any-return]


def _module(kind: type) -> str:
    """The module of a class; that of a class made in C is not in its own names."""
    home = _names(kind).get("__module__") or type.__getattribute__(kind, "__module__")
    return home if type(home) is str else ""


def class_of(value: Any) -> str:
    """The name of the harmless class that a value is of; of a subclass only if a library made it."""
    kind = type(value)
    if kind in (str, dict, list, tuple):
        return kind.__name__
    for each in _mro(kind):
        home = _module(each).partition(".")[0]
        if home in LIBRARIES and each.__name__ in (*ATTRIBUTES, "Size"):
            return each.__name__
        if home not in LIBRARIES:
            return ""
    return ""


def _item(owner: Any, index: Any) -> Any:
    if type(owner) in (list, tuple, str, range) or is_shape(owner):
        return owner[_plain(index)]
    plain_get = is_a(owner, dict) and type(owner).__getitem__ is dict.__getitem__
    if (
        plain_get
        and type(index) in (str, int, bool, type(None))
        and dict.__contains__(owner, index)
    ):
        return dict.__getitem__(owner, index)
    raise Unknown


def is_shape(value: Any) -> bool:
    """Whether it is a `torch.Size` or a named tuple, which behave like tuples."""
    kind = type(value)
    if not is_a(value, tuple) or kind.__iter__ is not tuple.__iter__:
        return False
    return kind.__name__ == "Size" or kind.__getitem__ is tuple.__getitem__


def _truth(value: Any) -> bool:
    kind = type(value)
    if kind in (*PLAIN, *CONTAINERS, dict, types.FunctionType, types.BuiltinFunctionType):
        return bool(value)
    if kind in (type, types.ModuleType):
        return True
    if is_shape(value):
        return tuple.__len__(value) > 0
    if _is_number(value):
        return bool(value)
    if not any("__bool__" in _names(e) or "__len__" in _names(e) for e in _mro(kind)):
        return True
    raise Unknown


def _is_number(value: Any) -> bool:
    """Whether it is a scalar of NumPy."""
    return _module(type(value)) == "numpy" and class_of(value) == "generic"


def _plain(value: Any, depth: int = 0) -> Any:
    """The value, if comparing and computing with it runs no foreign code. Raises Unknown."""
    kind = type(value)
    if kind in PLAIN or (is_a(value, type) and _is_harmless_class(value)):
        return value
    if kind in (*CONTAINERS, dict) and len(value) < LARGEST_CONTAINER and depth < 10:
        for each in (*value, *value.values()) if kind is dict else value:
            _plain(each, depth + 1)
        return value
    home, name = _module(kind), kind.__name__
    if home == "torch" and name in ("dtype", "device", "Size", "layout", "memory_format"):
        return value
    if _is_number(value):
        return value.item()
    numpys = home.startswith("numpy") and "dtype" in name.lower()
    if numpys or kind in (*VIEWS, types.FunctionType) or _is_plain_enum(kind):
        return value
    raise Unknown


def _is_harmless_class(kind: type) -> bool:
    return type(kind) is type or type(kind).__name__ in HARMLESS_METACLASSES


def _is_plain_enum(kind: type) -> bool:
    enum = type(kind).__name__ in ("EnumMeta", "EnumType") and _module(type(kind)) == "enum"
    own: Any = kind.__eq__
    return enum and any(own is each for each in (object.__eq__, str.__eq__, int.__eq__))


def _argument(value: Any) -> Any:
    return value if type(value) in (zip, enumerate) else _plain(value)


def _iterable(value: Any) -> Any:
    """A container of exactly a builtin type; what is in it may be anything."""
    if type(value) in (*CONTAINERS, dict) and len(value) < LARGEST_CONTAINER:
        return value
    if type(value) in (zip, enumerate, range, str, *VIEWS) or is_shape(value):
        return value
    raise Unknown


def length(value: Any) -> int:
    """The length of a builtin container, a tensor or an array. Raises Unknown."""
    if type(value) in (str, bytes, range, *CONTAINERS, dict, *VIEWS) or is_shape(value):
        return len(value)
    if class_of(value) in ("Tensor", "ndarray") and len(value.shape):
        return int(value.shape[0])
    raise Unknown


def _binary(op: ast.operator, left: Any, right: Any) -> Any:
    function = BINARY.get(type(op))
    if function is None or (type(left) is str and isinstance(op, ast.Mod)):
        raise Unknown
    numbers = [each for each in (left, right) if type(each) in (int, float, bool)]
    if isinstance(op, ast.Mult) and len(numbers) < 2:
        raise Unknown
    if any(abs(each) > LARGEST_NUMBER for each in numbers):
        raise Unknown
    return function(left, right)


def _compare(op: ast.cmpop, left: Any, right: Any) -> bool:
    if isinstance(op, ast.Is):
        return left is right
    if isinstance(op, ast.IsNot):
        return left is not right
    return bool(COMPARISONS[type(op)](_plain(left), _plain(right)))


def _is_of(kind: type, asked: Any) -> bool:
    """`issubclass` by the bases alone; of the abstract classes of the standard library as Python has it."""
    if type(asked) in (tuple, types.UnionType):
        every = asked if type(asked) is tuple else asked.__args__
        found = [_is_of(kind, each) for each in every]  # each may be unknown
        return any(found)
    if asked is None:
        asked = type(None)
    if not is_a(asked, type):
        raise Unknown
    if asked in _mro(kind):
        return True
    if type(asked) is type or type(asked).__name__ in ("EnumMeta", "EnumType", "_TensorMeta"):
        return False
    if _module(asked) in ("collections.abc", "numbers") and _is_harmless_class(kind):
        return issubclass(kind, asked)
    raise Unknown


def partial_keywords(value: Any) -> Mapping[str, Any]:
    """What a `functools.partial` gives by keyword."""
    return value.keywords if type(value) is functools.partial else {}
