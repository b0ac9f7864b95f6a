"""NumPy's arrays in pickles, and in files of joblib, which has their bytes between the opcodes."""

from __future__ import annotations

import math

from keng.ckpt.byte_source import Stretch
from keng.ckpt.nodes import ARRAY, Dict, Global, Opaque, Storage, Tensor, steps
from keng.ckpt.pickle.budget import Odd

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from keng.ckpt.pickle.protocol import Vm

    Shape: TypeAlias = "tuple[int, ...]"

KINDS = {
    **{f"f{n}": f"float{8 * n}" for n in (2, 4, 8)},
    **{f"c{n}": f"complex{8 * n}" for n in (8, 16)},
    **{f"i{n}": f"int{8 * n}" for n in (1, 2, 4, 8)},
    **{f"u{n}": f"uint{8 * n}" for n in (1, 2, 4, 8)},
    "b1": "bool",
}
"""torch's dtypes by NumPy's names."""
OBJECTS = "object"
ALIGNMENT = "numpy_array_alignment_bytes"
WRAPPED = {"subclass", "shape", "order", "dtype", "allow_mmap"}
"""The attributes of joblib's wrapper of an array, but for the alignment, which it has since 1.2."""
DEEPEST = 8
"""Records within records."""


def filled(array: Tensor, state: Any) -> None:
    """Gives an array what `ndarray.__setstate__` takes. Raises Odd."""
    match state:
        case (*_, tuple(shape), Opaque() as dtype, bool(fortran), data):
            made = _made(data, dtype, shape, fortran)
        case _:
            raise Odd("the attributes of an array, and none of NumPy has such")
    for name in ("dtype", "shape", "stride", "storage", "state"):
        setattr(array, name, getattr(made, name))


def of_buffer(data: Any, dtype: Any, shape: Any, order: Any, axes: Any = None) -> Tensor:
    """Of protocol 5. Raises Odd."""
    data = data.first if isinstance(data, Opaque) else data  # a bytearray
    made = _made(data, dtype, shape, order == "F")
    if axes is None:
        return made
    if not isinstance(axes, tuple) or set(axes) != set(range(len(made.shape))):
        raise Odd("an array whose axes are none")
    turned = (tuple(each[n] for n in axes) for each in (made.shape, made.stride))
    return made.but(**dict(zip(("shape", "stride"), turned, strict=True)))


def follows(vm: Vm, wrapper: Opaque) -> Any:
    """The array whose bytes joblib has written behind the opcode. Raises Odd."""
    told = wrapper.state.names if isinstance(wrapper.state, Dict) else {}
    dtype, shape = told.get("dtype"), _shape(told.get("shape"))
    _check(wrapper, told)
    _, itemsize, objects = _layout(dtype)
    vm.stop = vm.unframed(vm.at)
    if objects:
        return vm.another()
    if ALIGNMENT in told:
        padding = vm.take(vm.number(1))
        if told[ALIGNMENT] != 16 or len(padding) > 16 or padding.strip(b"\xff"):
            raise Odd("an array that is not aligned as joblib aligns it")
    data = vm.long(math.prod(shape) * itemsize)
    return _made(data, dtype, shape, told.get("order") == "F")


def _check(wrapper: Opaque, told: dict[str, Any]) -> None:
    """Whether joblib's wrapper has its attributes, each once. Raises Odd."""
    count = len(wrapper.state.pairs) if isinstance(wrapper.state, Dict) else 0
    good = type(told.get("allow_mmap")) is bool and told.get("order") in ("C", "F")
    good = good and isinstance(told.get("subclass"), Global)
    if count != len(told) or told.keys() - {ALIGNMENT} != WRAPPED or not good:
        raise Odd("an array that joblib has not written")


def _made(data: Any, dtype: Any, shape: Any, fortran: bool) -> Tensor:
    kind, itemsize, objects = _layout(dtype)
    shape = _shape(shape)
    if objects:
        if not isinstance(data, list):
            raise Odd("an array of objects without them")
        none = Storage("", kind, 0, "meta")
        return Tensor(kind, shape, steps(shape), 0, none, ARRAY, state=data)
    if isinstance(data, str):  # of Python 2, a character for each byte
        data = data.encode("latin-1")
    if isinstance(data, bytes):
        data = Storage("", kind, len(data), inline=data)
    elif not isinstance(data, Stretch):
        raise Odd("an array without its bytes")
    data.dtype = kind
    if math.prod(shape) * itemsize != data.nbytes:
        raise Odd("an array that has not as many bytes as its shape says")
    stride = steps(shape[::-1])[::-1] if fortran else steps(shape)
    return Tensor(kind, shape, stride, 0, data, ARRAY)


def _layout(dtype: Any, depth: int = 0) -> tuple[str, int, bool]:
    """torch's name of a dtype, or NumPy's where torch has none ("U5", ">f4"), the bytes of an item, and
    whether it is an object of Python's. Raises Odd where it is not as NumPy pickles it."""
    if not isinstance(dtype, Opaque) or depth > DEEPEST:
        raise Odd("an array without a dtype")
    match dtype.state:
        case (int(), str(order), parts, _, fields, int(itemsize), int(), int(flags), *_):
            name = (
                dtype.first if isinstance(dtype.first, str) else f"V{itemsize}"
            )  # a class of records
            kind = f">{name}" if order == ">" else KINDS.get(name, name)
        case _:
            raise Odd("a dtype that NumPy has not")
    letter, number = name[:1], int(name[1:]) if name[1:].isdecimal() and len(name) < 11 else -1
    size = number * 4 if letter == "U" else number
    flexible, objects = letter in "USV", letter == "O"
    within = [field for _, field in fields.pairs] if isinstance(fields, Dict) else [parts]
    if letter == "V" and within != [None]:
        objects = True in [_layout(_first(field), depth + 1)[2] for field in within]  # checks all
    if number < 0 or itemsize != (size if flexible else -1):
        raise Odd("a dtype whose size is not that of its name")
    if objects != bool(flags & 1):
        raise Odd("a dtype of objects without their flag, or with a flag and without objects")
    if parts is not None and not flexible:
        raise Odd("a dtype of parts that NumPy has not")
    return (OBJECTS if objects else kind), size, objects


def _first(field: Any) -> Any:
    return field[0] if isinstance(field, tuple) and field else None


def _shape(value: Any) -> Shape:
    sizes = value if isinstance(value, tuple) and len(value) <= 64 else (-1,)
    if any(type(size) is not int or not 0 <= size < 2**63 for size in sizes):
        raise Odd("a shape that no array has")
    return sizes
