"""NumPy's arrays in pickles, and in files of joblib, which has their bytes between the opcodes."""

from __future__ import annotations

import math

from keng.ckpt.byte_source import Stretch
from keng.ckpt.nodes import Dict, Opaque, Storage, Tensor, steps
from keng.ckpt.pickle.constructors import ARRAY, Odd

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from keng.ckpt.pickle.machine import Machine

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


def follows(vm: Machine, wrapper: Opaque) -> Any:
    """The array whose bytes joblib has written behind the opcode. Raises Odd."""
    told = wrapper.state.names if isinstance(wrapper.state, Dict) else {}
    dtype, shape = told.get("dtype"), _shape(told.get("shape"))
    _, itemsize, objects = _layout(dtype)
    vm.stop = vm.unframed(vm.at)
    if objects:
        return vm.another()
    if "numpy_array_alignment_bytes" in told:
        vm.take(vm.number(1))
    data = vm.long(math.prod(shape) * itemsize)
    return _made(data, dtype, shape, told.get("order") == "F")


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


def _layout(dtype: Any) -> tuple[str, int, bool]:
    """torch's name of a dtype, or NumPy's where torch has none ("U5", ">f4"), the bytes of an item, and
    whether it is an object of Python's."""
    if not isinstance(dtype, Opaque):
        raise Odd("an array without a dtype")
    name = dtype.first if isinstance(dtype.first, str) else "record"
    match dtype.state:
        case (int(), str(order), _, _, _, int(itemsize), int(), int(flags), *_):
            kind = f">{name}" if order == ">" else KINDS.get(name, name)
        case _:
            raise Odd("a dtype that NumPy has not")
    objects = name[:1] == "O" or bool(flags & 1)
    number = name[1:] if name[1:].isdecimal() else "0"
    return (OBJECTS if objects else kind), itemsize if itemsize > 0 else int(number[:9]), objects


def _shape(value: Any) -> Shape:
    sizes = value if isinstance(value, tuple) and len(value) <= 64 else (-1,)
    if any(type(size) is not int or not 0 <= size < 2**63 for size in sizes):
        raise Odd("a shape that no array has")
    return sizes
