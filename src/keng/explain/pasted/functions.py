"""What functions and methods of torch and NumPy return, by what they are given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any

from keng.explain.pasted import shapes
from keng.explain.pasted.values import (
    DEFAULT,
    UNKNOWN,
    Array,
    Device,
    Dtype,
    Layer,
    Tensor,
    category,
    device_of,
    dtype_of,
)

CASTS = {
    **{
        name: name
        for name in ("half", "float", "double", "bfloat16", "long", "int", "short", "bool")
    },
    "byte": "uint8",
    "char": "int8",
}
MOVES = frozenset({*CASTS, "to", "cuda", "cpu", "type", "astype", "numpy"})
KEEPS = frozenset(
    {
        "clone",
        "contiguous",
        "relu",
        "abs",
        "neg",
        "sort_",
        "dropout",
        "requires_grad_",
        "fill_",
        "zero_",
    }
    | {
        "normal_",
        "uniform_",
        "clamp",
        "cumsum",
        "flip",
        "roll",
        "tril",
        "triu",
        "squeeze_",
        "softplus",
    }
)
"""What keeps the shape and the dtype of a tensor."""
OF_FLOATS = frozenset(
    {
        "exp",
        "log",
        "sqrt",
        "rsqrt",
        "sin",
        "cos",
        "tanh",
        "sigmoid",
        "softmax",
        "log_softmax",
        "gelu",
        "silu",
    }
)
"""What makes float32 of whole numbers, and keeps floats."""
ELEMENTWISE = frozenset({"add", "sub", "mul", "div", "true_divide", "maximum", "minimum", "pow"})
COMPARES = frozenset({"eq", "ne", "lt", "gt", "le", "ge"})
REDUCES = frozenset(
    {"sum", "mean", "std", "var", "prod", "amax", "amin", "argmax", "argmin", "norm"}
)
KEEPING_LAYERS = frozenset(
    {
        "ReLU",
        "GELU",
        "SiLU",
        "Tanh",
        "Sigmoid",
        "Dropout",
        "Softmax",
        "LogSoftmax",
        "LeakyReLU",
        "Identity",
    }
    | {"LayerNorm", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "GroupNorm"}
)

Made = Tensor | object


def of_sizes(given: Sequence[Any], named: Mapping[str, Any]) -> Made:
    sizes = sizes_in([named["size"]] if "size" in named else given)
    return Tensor(sizes) if given or "size" in named else UNKNOWN


def sizes_in(given: Sequence[Any]) -> tuple[int, ...] | None:
    """Sizes given one by one or as one tuple; None where one is not known."""
    if len(given) == 1 and type(given[0]) in (tuple, list):
        given = given[0]
    known = all(type(each) is int and each >= 0 for each in given)
    return tuple(given) if known else None


def of_integers(given: Sequence[Any], named: Mapping[str, Any]) -> Made:
    size = named.get("size", given[-1] if given else UNKNOWN)
    return Tensor(sizes_in([size]) if type(size) in (tuple, list) else None, "int64")


def full(given: Sequence[Any], named: Mapping[str, Any]) -> Made:
    size, value = [named.get("size", UNKNOWN), named.get("fill_value", UNKNOWN)]
    size, value = [*given, *(size, value)[len(given) :]][:2]
    return Tensor(sizes_in([size]), _dtype_of([value]))


def arange(given: Sequence[Any], named: Mapping[str, Any]) -> Made:
    if {"start", "end", "step"} & {*named} or not given:
        return Tensor(None, "")
    numbers = all(type(each) in (int, float) for each in given)
    dtype = "int64" if all(type(each) is int for each in given) else DEFAULT if numbers else ""
    if not numbers:
        return Tensor(None, dtype)
    start, end, step = (0, given[0], 1) if len(given) == 1 else (*given, 1)[:3]
    return Tensor((max(0, ceil((end - start) / step)),), dtype)


def linspace(given: Sequence[Any], named: Mapping[str, Any]) -> Made:
    steps = named.get("steps", given[2] if len(given) > 2 else UNKNOWN)
    return Tensor((steps,) if type(steps) is int else None)


def eye(given: Sequence[Any], named: Mapping[str, Any]) -> Made:
    return Tensor(sizes_in([*given[:2], *given[:1]][:2] if given else ()))


def of_data(given: Sequence[Any], named: Mapping[str, Any]) -> Made:
    data = given[0] if given else named.get("data", UNKNOWN)
    if isinstance(data, Array):
        return Tensor(data.shape, data.dtype)
    return data if isinstance(data, Tensor) else listed(data)


def listed(data: Any) -> Made:
    """A tensor of numbers in lists."""
    shape, leaves = _lists(data)
    if shape is None or not all(type(each) in (int, float, bool, complex) for each in leaves):
        return UNKNOWN
    return Tensor(shape, _dtype_of(leaves) if leaves else DEFAULT)


def _lists(data: Any) -> tuple[tuple[int, ...] | None, list[Any]]:
    if type(data) not in (list, tuple):
        return (), [data]
    inner = [_lists(each) for each in data]
    different = {shape for shape, _ in inner}
    if len(different) > 1 or None in different:
        return None, []
    below = different.pop() if different else ()
    return (len(data), *(below or ())), [each for _, leaves in inner for each in leaves]


def _dtype_of(numbers: Sequence[Any]) -> str:
    kinds = {type(each) for each in numbers}
    if not kinds <= {int, float, bool, complex}:
        return ""
    if complex in kinds:
        return "complex64"
    return DEFAULT if float in kinds else "int64" if int in kinds else "bool"


def alike(given: Sequence[Any], named: Mapping[str, Any]) -> Made:
    of = given[0] if given else UNKNOWN
    return Tensor(of.shape, of.dtype, of.device) if isinstance(of, Tensor) else UNKNOWN


def integers_alike(given: Sequence[Any], named: Mapping[str, Any]) -> Made:
    return alike(given, named)


def typed(dtype: str) -> Callable[[Sequence[Any], Mapping[str, Any]], Made]:
    """`torch.LongTensor([1, 2])`, `torch.FloatTensor(2, 3)`."""

    def made(given: Sequence[Any], named: Mapping[str, Any]) -> Made:
        if given and all(type(each) is int for each in given):
            return Tensor(sizes_in(given), dtype)
        found = of_data(given, named)
        return found._replace(dtype=dtype) if isinstance(found, Tensor) else UNKNOWN

    return made


FACTORIES: dict[str, Callable[[Sequence[Any], Mapping[str, Any]], Made]] = {
    **dict.fromkeys(("zeros", "ones", "empty", "rand", "randn"), of_sizes),
    **dict.fromkeys(("tensor", "as_tensor", "from_numpy", "asarray"), of_data),
    **{
        f"{name}_like": alike
        for name in ("zeros", "ones", "empty", "rand", "randn", "randint", "full")
    },
    "randint": of_integers,
    "full": full,
    "arange": arange,
    "linspace": linspace,
    "eye": eye,
    "Tensor": typed(DEFAULT),
    **{
        f"{name}Tensor": typed(dtype)
        for name, dtype in (
            *(("Float", "float32"), ("Double", "float64"), ("Half", "float16"), ("Long", "int64")),
            *(("Int", "int32"), ("Short", "int16"), ("Byte", "uint8"), ("Bool", "bool")),
        )
    },
}
"""Functions that make tensors; their options are read by whoever calls these."""


def parameter(given: Sequence[Any], named: Mapping[str, Any]) -> Made:
    of = given[0] if given else named.get("data", UNKNOWN)
    grad = named.get("requires_grad", given[1] if len(given) > 1 else True)
    known = isinstance(of, Tensor) and type(grad) is bool
    return of._replace(requires_grad=grad, is_leaf=True) if known else UNKNOWN


def plain(name: str, given: Sequence[Any]) -> Any:
    """`torch.device("cuda", 1)`, `len(x)`."""
    first: Any = given[0] if given else UNKNOWN
    if name == "device" and type(first) is str:
        return device_of(":".join(map(str, given)))
    if name == "len" and type(first) in (list, tuple):
        return len(first)
    shape = first.shape if isinstance(first, Tensor | Array) else None
    return shape[0] if name == "len" and shape else UNKNOWN


def of_numpy(dotted: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
    name, dtype = dotted.removeprefix("numpy."), named.get("dtype")
    made: Any = UNKNOWN
    if name in ("array", "asarray") and given:
        found = listed(given[0])
        kind = {"float32": "float64", "complex64": "complex128"}
        if isinstance(found, Tensor):
            made = Array(found.shape, kind.get(found.dtype, found.dtype))
        elif isinstance(given[0], Array):
            made = given[0]
    elif name in ("zeros", "ones", "empty") and given:
        size = given[0]
        made = Array(sizes_in([size]) if type(size) in (tuple, int, list) else None)
    elif name in ("random.rand", "random.randn"):
        made = Array(sizes_in(given) if given else ())
    if not isinstance(made, Array) or dtype is None:
        return made
    return made._replace(dtype=dtype.name) if isinstance(dtype, Dtype) else UNKNOWN


def moved(value: Tensor | Array | Layer, name: str, given: Sequence[Any]) -> Any:
    """To another dtype or device."""
    if name == "numpy":
        return Array(value.shape, value.dtype) if isinstance(value, Tensor) else UNKNOWN
    if isinstance(value, Array):
        kind = given[0] if name == "astype" and len(given) == 1 else UNKNOWN
        return (
            value._replace(dtype=kind.name) if isinstance(kind, Dtype) else value._replace(dtype="")
        )
    dtype, device = value.dtype, value.device
    if name in CASTS:
        known = dtype_of(CASTS[name])
        dtype = known.name if known is not None else ""
    elif name in ("cuda", "cpu"):
        at = f":{given[0]}" if given and type(given[0]) is int else ""
        device = device_of(f"{name}{at}").name if name == "cuda" else "cpu"
    for each in given if name in ("to", "type") else ():
        if isinstance(each, Dtype):
            dtype = each.name
        elif isinstance(each, Device) or (type(each) is str and name == "to"):
            device = each.name if isinstance(each, Device) else device_of(each).name
        elif isinstance(each, Tensor):
            dtype, device = each.dtype, each.device
        elif type(each) is not bool:
            dtype, device = "", ""
    if isinstance(value, Tensor) and (dtype, device) != (value.dtype, value.device):
        grad = value.requires_grad and category(dtype or DEFAULT) >= 2
        return Tensor(value.shape, dtype, device, grad, not grad)
    return value._replace(dtype=dtype, device=device)


def of_one(value: Tensor, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """A function of one tensor whose result keeps its shape, or loses dimensions."""
    grad = value.requires_grad
    if name in ("detach", "detach_"):
        return value._replace(requires_grad=False, is_leaf=True)
    if name == "requires_grad_":
        return value._replace(requires_grad=given[0] if given else True)
    if name in KEEPS:
        return value._replace(is_leaf=not grad)
    if name in OF_FLOATS:
        dtype = DEFAULT if value.dtype and category(value.dtype) < 2 else value.dtype
        return value._replace(dtype=dtype, is_leaf=not grad)
    if name in ("size", "dim", "ndimension") and value.shape is not None:
        return (
            (value.shape[given[0]] if given else value.shape)
            if name == "size"
            else len(value.shape)
        )
    if name in REDUCES:
        return _reduced(value, name, given, named)
    return UNKNOWN


def _reduced(value: Tensor, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
    dim = named.get("dim", named.get("axis", given[0] if given and name != "norm" else None))
    keep = named.get("keepdim", given[1] if len(given) > 1 else False)
    known = dim is None or type(dim) is int or type(dim) is tuple
    if not known or type(keep) is not bool:
        return UNKNOWN
    shape = shapes.reduced(value.shape, dim, keep) if value.shape is not None else None
    dtype = value.dtype
    if name in ("argmax", "argmin") or (name in ("sum", "prod") and dtype and category(dtype) < 2):
        dtype = "int64"
    grad = value.requires_grad and category(dtype or DEFAULT) >= 2
    return Tensor(shape, dtype, value.device, grad, not grad)


def of_layer(layer: Layer, given: Sequence[Any]) -> Any:
    """What a layer makes of one tensor."""
    of = given[0] if len(given) == 1 else UNKNOWN
    if not isinstance(of, Tensor):
        return UNKNOWN
    made = of._replace(requires_grad=True, is_leaf=False)
    if layer.kind in KEEPING_LAYERS:
        return made
    width = layer.setting("out_features")
    fits = bool(of.shape) and of.shape is not None and layer.setting("in_features") == of.shape[-1]
    if layer.kind == "Linear" and fits and type(width) is int and of.shape is not None:
        return made._replace(shape=(*of.shape[:-1], width))
    return UNKNOWN
