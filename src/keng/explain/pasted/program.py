"""Follows the statements of pasted code, one after the other, on what the values are like."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

from keng.explain.pasted import functions, shapes
from keng.explain.pasted.values import (
    UNKNOWN,
    Array,
    Device,
    Dtype,
    Layer,
    Tensor,
    broadcast,
    category,
    device_of,
    dtype_of,
    promoted,
)
from keng.tables.constructors import of_class

if TYPE_CHECKING:
    from keng.source import Code

MOST_DEEP = 30
OF_NUMPY = re.compile(r"np(?:\.\w+)+")
SETS_DEFAULTS = ("set_default_dtype", "set_default_tensor_type", "set_default_device")
NUMBERS = (int, float, complex, bool)
LARGEST = 2**40


class Program:
    """`names` are the values of the names of the module, as far as `run` has come."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.names: dict[str, Any] = {}
        self._deep = 0
        self._knows_defaults = not any(name in code.text for name in SETS_DEFAULTS)

    def run(self, statements: Iterable[ast.stmt], until: ast.stmt | None = None) -> bool:
        """Whether it came to the statement `until`, before which it stops."""
        for each in statements:
            if each is until:
                return True
            if runs_once(each):
                if self.run(each.body, until):
                    return True
            else:
                self._step(each)
        return False

    def _step(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assign(targets=targets, value=value):
                made = self.value(value)
                for target in targets:
                    self._bind(target, made)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._bind(target, self.value(value))
            case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=value):
                load = ast.copy_location(ast.Name(name, ast.Load()), target)
                self.names[name] = self._operated(op, self.value(load), self.value(value))
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method))):
                self._changed(name, method, self.value(statement.value))
            case ast.FunctionDef() | ast.ClassDef() | ast.Import() | ast.ImportFrom():
                pass
            case _:
                for node in ast.walk(statement):
                    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
                        self.names[node.id] = UNKNOWN

    def _bind(self, target: ast.expr, value: Any) -> None:
        match target:
            case ast.Name(id=name):
                self.names[name] = value
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                values = value if type(value) in (list, tuple) and len(value) == len(parts) else ()
                for n, part in enumerate(parts):
                    self._bind(part, values[n] if values else UNKNOWN)
            case ast.Subscript(value=ast.Name()) | ast.Starred():
                pass
            case ast.Attribute(value=ast.Name(id=name)):
                self.names[name] = UNKNOWN  # `x.data = y`, `x.requires_grad = True`

    def _changed(self, name: str, method: str, made: Any) -> None:
        """A method that is called for its effect."""
        value = self.names.get(name, UNKNOWN)
        in_place = method.endswith("_") and not method.endswith("__")
        if isinstance(value, Layer) or in_place:
            self.names[name] = made if isinstance(made, type(value)) else UNKNOWN
        elif type(value) is list:
            self.names[name] = UNKNOWN

    # expressions

    def value(self, node: ast.expr) -> Any:
        if self._deep > MOST_DEEP:
            return UNKNOWN
        self._deep += 1
        try:
            return self._value(node)
        except (ArithmeticError, LookupError, TypeError, ValueError):
            return UNKNOWN
        finally:
            self._deep -= 1

    def _value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name):
                return self.names[name] if name in self.names else self._named(node)
            case ast.Attribute():
                return self._attribute(node)
            case ast.Tuple(elts=elements):
                return tuple(map(self.value, elements))
            case ast.List(elts=elements):
                return [*map(self.value, elements)]
            case ast.BinOp(left=left, op=op, right=right):
                return self._operated(op, self.value(left), self.value(right))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                inner = self.value(operand)
                return -inner if type(inner) in (int, float) else self._computed(inner)
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return self._computed(self.value(operand))
            case ast.Compare(left=left, comparators=[right]):
                return self._compared(self.value(left), self.value(right))
            case ast.Subscript(value=owner, slice=at):
                return self._item(self.value(owner), self._place(at))
            case ast.Call():
                return self._call(node)
        return UNKNOWN

    def _named(self, node: ast.expr) -> Any:
        dotted = self.code.names.resolve(node)
        return (dotted.startswith("torch.") and dtype_of(dotted.removeprefix("torch."))) or UNKNOWN

    def _attribute(self, node: ast.Attribute) -> Any:
        known = self._named(node)
        if known is not UNKNOWN:
            return known
        owner = self.value(node.value)
        if ast.unparse(node.value) in ("np", "numpy"):
            return dtype_of(node.attr.rstrip("_")) or UNKNOWN
        if isinstance(owner, Tensor | Array):
            match node.attr:
                case "T" | "mT":
                    return self._reshaped(owner, "t", ())
                case "shape" if owner.shape is not None:
                    return owner.shape
                case "dtype":
                    return Dtype(owner.dtype) if owner.dtype else UNKNOWN
                case "device" if isinstance(owner, Tensor) and owner.device:
                    return Device(owner.device)
                case "data" if isinstance(owner, Tensor):
                    return owner._replace(requires_grad=False, is_leaf=True)
        return UNKNOWN

    def _place(self, node: ast.expr) -> Any:
        match node:
            case ast.Slice(lower=lower, upper=upper, step=step):
                given = [each and self.value(each) for each in (lower, upper, step)]
                known = all(each is None or type(each) is int for each in given)
                return slice(*given) if known else UNKNOWN
            case ast.Tuple(elts=elements):
                return tuple(map(self._place, elements))
        return self.value(node)

    def _item(self, owner: Any, at: Any) -> Any:
        if type(owner) in (list, tuple):
            return owner[at]
        if isinstance(owner, Tensor | Array):
            shape = shapes.indexed(owner.shape, at) if owner.shape is not None else None
            return self._derived(owner, shape)
        return UNKNOWN

    def _operated(self, op: ast.operator, left: Any, right: Any) -> Any:
        if type(left) in NUMBERS and type(right) in NUMBERS:
            return _calculated(op, left, right)
        if isinstance(op, ast.MatMult) and isinstance(left, Tensor) and isinstance(right, Tensor):
            return self._multiplied(left, right)
        if isinstance(op, ast.MatMult) or UNKNOWN in (left, right):
            return UNKNOWN
        return self._elementwise([left, right], divides=isinstance(op, ast.Div))

    def _elementwise(self, given: Sequence[Any], divides: bool = False) -> Any:
        """Of tensors and numbers: a number, or a tensor without dimensions, decides the dtype only by its
        kind."""
        tensors = [each for each in given if isinstance(each, Tensor)]
        if not tensors or not all(isinstance(each, (Tensor, *NUMBERS)) for each in given):
            return UNKNOWN
        shape = broadcast([each.shape for each in tensors])
        with_sizes = [each.dtype for each in tensors if each.shape != ()]
        dtype = promoted(with_sizes or [each.dtype for each in tensors])
        others = [each.dtype for each in tensors if each.shape == ()]
        others += [_dtype_of_number(each) for each in given if not isinstance(each, Tensor)]
        if dtype and any(not each or category(each) > category(dtype) for each in others):
            dtype = promoted([each for each in others if each]) if all(others) else ""
        if divides and dtype and category(dtype) < 2:
            dtype = "float32"
        return self._of(tensors, shape, dtype)

    def _of(self, tensors: Sequence[Tensor], shape: Any, dtype: str) -> Tensor:
        """The result of an operator: where its operands are, with a gradient if one has."""
        sized = [each for each in tensors if each.shape != ()] or [*tensors]
        devices = {each.device for each in sized}
        device = devices.pop() if len(devices) == 1 else ""
        grad = any(each.requires_grad for each in tensors)
        grad = grad and (not dtype or category(dtype) >= 2)
        return Tensor(shape, dtype, device, grad, not grad)

    def _computed(self, value: Any, dtype: str = "") -> Any:
        return (
            self._of([value], value.shape, dtype or value.dtype)
            if isinstance(value, Tensor)
            else UNKNOWN
        )

    def _derived(self, value: Tensor | Array, shape: Any) -> Any:
        if isinstance(value, Array):
            return Array(shape, value.dtype)
        return self._of([value], shape, value.dtype)

    def _compared(self, left: Any, right: Any) -> Any:
        made = self._elementwise([left, right])
        return Tensor(made.shape, "bool", made.device) if isinstance(made, Tensor) else UNKNOWN

    def _multiplied(self, left: Tensor, right: Tensor) -> Tensor:
        known = left.shape is not None and right.shape is not None
        shape = shapes.multiplied(left.shape, right.shape) if known else None  # type: ignore[arg-type]
        return self._of([left, right], shape, left.dtype if left.dtype == right.dtype else "")

    def _reshaped(self, value: Tensor | Array, name: str, given: Sequence[Any]) -> Any:
        if len(given) == 1 and type(given[0]) in (tuple, list):
            given = given[0]
        if any(isinstance(each, Dtype) for each in given):
            return UNKNOWN  # the same bits as another dtype
        shape = shapes.BY_NUMBERS[name](value.shape, given) if value.shape is not None else None
        return self._derived(value, shape)

    # calls

    def _call(self, node: ast.Call) -> Any:
        named = {each.arg: self.value(each.value) for each in node.keywords if each.arg}
        starred = any(isinstance(each, ast.Starred) for each in node.args)
        if starred or len(named) < len(node.keywords):
            return UNKNOWN
        given = [*map(self.value, node.args)]
        dotted = self.dotted(node.func)
        if dotted.startswith("torch.nn.") and of_class(dotted.rpartition(".")[2]):
            return self._layer(dotted.rpartition(".")[2], given, named)
        if dotted.startswith(("torch.", "numpy.", "builtins.", "math.")):
            return self._function(dotted, given, named)
        if isinstance(node.func, ast.Attribute):
            owner = self.value(node.func.value)
            if isinstance(owner, Tensor | Array | Layer):
                return self.method(owner, node.func.attr, given, named)
            return UNKNOWN
        called = self.value(node.func)
        return functions.of_layer(called, given) if isinstance(called, Layer) else UNKNOWN

    def dotted(self, func: ast.expr) -> str:
        """With the names by which NumPy is known where a paste leaves its import out."""
        known = self.code.names.resolve(func)
        if known or not isinstance(func, ast.Attribute):
            return known
        text = ast.unparse(func)
        of_numpy = OF_NUMPY.fullmatch(text) is not None and "np" not in self.names
        return f"numpy.{text[3:]}" if of_numpy else ""

    def _layer(self, kind: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        takes = of_class(kind)
        if kind == "Parameter" or takes is None:
            return functions.parameter(given, named)
        bound = {**dict(zip(takes.made, given, strict=False)), **named}
        kept = tuple((name, each) for name, each in bound.items() if each is not UNKNOWN)
        device, dtype = named.get("device", Device("cpu")), named.get("dtype", Dtype("float32"))
        known = isinstance(device, Device | str) and self._knows_defaults
        where = (
            device.name if isinstance(device, Device) else device_of(device).name if known else ""
        )
        return Layer(kind, kept, where, dtype.name if isinstance(dtype, Dtype) else "")

    def _function(self, dotted: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        name = dotted.rpartition(".")[2]
        if dotted.startswith("numpy."):
            return functions.of_numpy(dotted, given, named)
        if dotted == "torch.nn.Parameter":
            return functions.parameter(given, named)
        if dotted in ("torch.device", "builtins.len"):
            return functions.plain(name, given)
        if name in functions.FACTORIES and dotted.startswith("torch."):
            made = functions.FACTORIES[name](given, named)
            return self._placed(made, named) if isinstance(made, Tensor) else UNKNOWN
        if given and isinstance(given[0], Tensor) and dotted.startswith("torch."):
            return self.method(given[0], name, given[1:], named)
        if name in ("cat", "concat", "stack") and given and type(given[0]) in (list, tuple):
            return self._joined(name, given, named)
        return UNKNOWN

    def _placed(self, made: Tensor, named: Mapping[str, Any]) -> Any:
        """With the options that every factory of tensors takes."""
        dtype, device = named.get("dtype"), named.get("device")
        if dtype is not None:
            made = made._replace(dtype=dtype.name if isinstance(dtype, Dtype) else "")
        elif not self._knows_defaults:
            made = made._replace(dtype="", device="")
        if device is not None:
            known = device_of(device) if type(device) is str else device
            made = made._replace(device=known.name if isinstance(known, Device) else "")
        grad = named.get("requires_grad", False)
        return made._replace(requires_grad=grad is True) if type(grad) is bool else UNKNOWN

    def _joined(self, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        parts, dim = given[0], named.get("dim", [*given, 0][1])
        if not parts or not all(isinstance(each, Tensor) for each in parts):
            return UNKNOWN
        known = all(each.shape is not None for each in parts)
        join = shapes.stacked if name == "stack" else shapes.joined
        shape = join([each.shape for each in parts], dim) if known else None
        return self._of(parts, shape, promoted(each.dtype for each in parts))

    def method(
        self,
        owner: Tensor | Array | Layer,
        name: str,
        given: Sequence[Any],
        named: Mapping[str, Any],
    ) -> Any:
        """A method, or the function of the same name with its tensor before the others."""
        if name in functions.MOVES:
            return functions.moved(owner, name, [*given, *named.values()])
        if isinstance(owner, Layer):
            return owner if name in ("train", "eval", "requires_grad_") else UNKNOWN
        if isinstance(owner, Array):
            known = name in shapes.BY_NUMBERS and not named
            return self._reshaped(owner, name, given) if known else UNKNOWN
        if name in shapes.BY_NUMBERS:
            dims = [*given, *named.values()]
            return self._reshaped(owner, name, dims)
        if name in ("matmul", "mm", "bmm", "mv") and given and isinstance(given[0], Tensor):
            return self._multiplied(owner, given[0])
        if name in functions.ELEMENTWISE and given:
            return self._elementwise([owner, given[0]], divides=name in ("div", "true_divide"))
        if name in functions.COMPARES and given:
            return self._compared(owner, given[0])
        return functions.of_one(owner, name, given, named)


def runs_once(statement: ast.stmt) -> TypeGuard[ast.With | ast.Try | ast.If]:
    """Whether its block is run as if it were not one: `with`, `try`, `if __name__ == "__main__":`, and a
    block that is only indented."""
    if isinstance(statement, ast.If):
        return ast.unparse(statement.test) in ("True", "__name__ == '__main__'")
    return isinstance(statement, ast.With | ast.Try)


def _dtype_of_number(value: Any) -> str:
    if type(value) is bool:
        return "bool"
    if type(value) is int:
        return "int64"
    return "complex64" if type(value) is complex else "float32"


def _calculated(op: ast.operator, left: Any, right: Any) -> Any:
    match op:
        case ast.Add():
            made = left + right
        case ast.Sub():
            made = left - right
        case ast.Mult():
            made = left * right
        case ast.FloorDiv():
            made = left // right
        case ast.Div():
            made = left / right
        case ast.Mod():
            made = left % right
        case ast.Pow() if abs(right) < 64 and abs(left) < 1024:
            made = left**right
        case _:
            return UNKNOWN
    return made if type(made) is complex or abs(made) < LARGEST else UNKNOWN
