"""What the calls in a pickle would make, made of nouns: tensors of the functions that torch saves them
with, dicts of their kin. Everything else is an `Opaque`."""

from __future__ import annotations

from collections.abc import Callable

from keng.ckpt.nodes import ARRAY, Dict, Global, Opaque, Storage, Tensor
from keng.ckpt.pickle.budget import Ledger, Odd

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LARGEST = 2**63
DIMENSIONS = 1000
ENTRY = 64
"""Bytes, about, that an entry takes which is copied."""
STORAGES = {
    "Double": "float64",
    "Float": "float32",
    "Half": "float16",
    "BFloat16": "bfloat16",
    "Long": "int64",
    "Int": "int32",
    "Short": "int16",
    "Char": "int8",
    "Byte": "uint8",
    "Bool": "bool",
    "ComplexDouble": "complex128",
    "ComplexFloat": "complex64",
    "QInt8": "qint8",
    "QUInt8": "quint8",
    "QInt32": "qint32",
    "QUInt4x2": "quint4x2",
    "QUInt2x4": "quint2x4",
    "Untyped": "uint8",
}
"""torch's dtypes, by the names of the storage classes that stand for them in pickles."""


PARTIAL = Global("torch.distributed.tensor.placement_types", "Partial")
"""Of what is a sum over the ranks."""


def dtype_of_storage(cls: Any) -> str:
    """Raises Odd where a class is no storage's."""
    if isinstance(cls, Global) and cls.full.startswith("torch."):
        dtype = STORAGES.get(cls.name.removesuffix("Storage"))
        if dtype is not None:
            return dtype
    raise Odd(f"`{cls}` is no class of storages")


def called(name: Global, args: Any, ledger: Ledger, file: str) -> Any:
    """What a call would make. Raises Odd where it would fail."""
    make = CALLS.get(name.full)
    if make is None or not isinstance(args, tuple):
        return Opaque(name, args)
    try:
        return make(ledger, *args)
    except TypeError:
        raise Odd(f"`{name}` does not take these arguments") from None


def new(name: Global, args: Any, ledger: Ledger, file: str) -> Any:
    """What creating an object of a class, without its `__init__`, would make."""
    if str(name) in DICTS:
        return Dict(name.name)
    return Opaque(name, args)


def _strided(
    ledger: Ledger,
    storage: Any,
    offset: Any,
    shape: Any,
    stride: Any,
    requires_grad: Any = False,
    hooks: Any = None,
    metadata: Any = None,
) -> Tensor:
    if not isinstance(storage, Storage):
        raise Odd("a tensor without a storage")
    shape, stride = _sizes(shape), _sizes(stride)
    _sizes((offset,))
    if len(shape) != len(stride):
        raise Odd(f"a tensor of {len(shape)} sizes and {len(stride)} strides")
    grad = requires_grad is True
    kept = metadata if isinstance(metadata, Dict) and metadata.pairs else None
    return Tensor(storage.dtype, shape, stride, offset, storage, "Tensor", grad, kept)


def _sizes(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list | tuple) or len(value) > DIMENSIONS:
        raise Odd("a shape that is no shape")
    for size in value:
        if not isinstance(size, int) or not 0 <= size < LARGEST:
            raise Odd("a shape that no tensor has")
    return value if type(value) is tuple else tuple(value)


def _v3(
    ledger: Ledger,
    storage: Any,
    offset: Any,
    shape: Any,
    stride: Any,
    requires_grad: Any,
    hooks: Any,
    dtype: Any,
    metadata: Any = None,
) -> Tensor:
    """Since 2.1, for the dtypes that have no storage class."""
    tensor = _strided(ledger, storage, offset, shape, stride, requires_grad, None, metadata)
    return tensor.but(dtype=_dtype(dtype))


def _dtype(value: Any) -> str:
    if not isinstance(value, Global) or value.module != "torch":
        raise Odd("a dtype that is none")
    return value.name


def _quantized(
    ledger: Ledger,
    storage: Any,
    offset: Any,
    shape: Any,
    stride: Any,
    quantizer: Any,
    requires_grad: Any = False,
    hooks: Any = None,
) -> Tensor:
    tensor = _strided(ledger, storage, offset, shape, stride, requires_grad)
    return tensor.but(state=quantizer)


def _parameter(
    ledger: Ledger,
    data: Any = None,
    requires_grad: Any = True,
    hooks: Any = None,
    state: Any = None,
) -> Any:
    if not isinstance(data, Tensor):  # sparse, or of a class that is not known
        return data
    grad = requires_grad is True
    return data.but(kind="Parameter", requires_grad=grad, state=state or data.state)


def _buffer(ledger: Ledger, data: Any, requires_grad: Any = False, persistent: Any = True) -> Any:
    return data.but(kind="Buffer") if isinstance(data, Tensor) else data


def _of_type(ledger: Ledger, function: Any, cls: Any, args: Any, state: Any = None) -> Any:
    """A subclass of Tensor, or a Tensor with attributes of its own."""
    made = called(function, args, ledger, "") if isinstance(function, Global) else None
    if isinstance(made, Tensor) and (whole := _whole(made, state)) is not None:
        return whole
    if not isinstance(made, Tensor) or not isinstance(cls, Global):
        return Opaque(
            Global("torch._tensor", "_rebuild_from_type_v2"), (function, cls, args, state)
        )
    return made.but(kind=cls.name, state=_together(made.state, state))


def _whole(made: Tensor, state: Any) -> Tensor | None:
    """What a DTensor has on its rank, where that is all of it."""
    own = state[-1] if isinstance(state, tuple) and state else state
    local, spec = (own.get("_local_tensor"), own.get("_spec")) if isinstance(own, Dict) else (0, 0)
    told = spec.state if isinstance(spec, Opaque) else None
    placed = told.get("placements") if isinstance(told, Dict) else None
    if not isinstance(placed, tuple) or not isinstance(local, Tensor):
        return None
    if made.shape != local.shape or any(getattr(p, "name", PARTIAL) == PARTIAL for p in placed):
        return None
    return local.but(requires_grad=made.requires_grad)


def _together(first: Any, second: Any) -> Any:
    """The attributes of a tensor: that its values are conjugates stands next to those of its own."""
    if not isinstance(first, Dict):
        return second
    more = second.pairs if isinstance(second, Dict) else [("state", second)]
    return Dict(pairs=[*first.pairs, *more])


def _without_storage(
    ledger: Ledger, dtype: Any, shape: Any, stride: Any, requires_grad: Any = False
) -> Tensor:
    """A tensor on the meta device."""
    name = _dtype(dtype)
    storage = Storage("", name, 0, "meta")
    return _strided(ledger, storage, 0, shape, stride, requires_grad)


def _wrapper(
    ledger: Ledger,
    cls: Any,
    dtype: Any,
    shape: Any,
    stride: Any,
    offset: Any,
    layout: Any,
    device: Any,
    requires_grad: Any = False,
) -> Tensor:
    """A subclass that holds no memory of its own; what it wraps is in its state."""
    tensor = _without_storage(ledger, dtype, shape, stride, requires_grad)
    return tensor.but(kind=cls.name if isinstance(cls, Global) else "Tensor")


def _traced(ledger: Ledger, body: Any, code: Any, *more: Any) -> Opaque:
    """A module of torch.fx: its attributes, and the program that becomes its `forward`."""
    return Opaque(Global("torch.fx.graph_module", "GraphModule"), (code, *more), state=body)


def _size(ledger: Ledger, sizes: Any = ()) -> tuple[int, ...]:
    return _sizes(sizes)


def _dict(kind: str) -> Callable[..., Dict]:
    def make(ledger: Ledger, *args: Any) -> Dict:
        entries = args[-1] if args else ()
        if isinstance(entries, Dict):
            ledger.charge(ENTRY * len(entries.pairs))
            return Dict(kind, list(entries.pairs))
        if isinstance(entries, list | tuple):  # Python 2 gave pairs as lists
            ledger.charge(ENTRY * len(entries))
            return Dict(kind, [(pair[0], pair[1]) for pair in entries if len(pair) == 2])
        return Dict(kind)

    return make


def _encode(ledger: Ledger, text: Any, encoding: Any = "utf-8", errors: Any = "strict") -> Any:
    """How protocol 2 writes bytes."""
    if not isinstance(text, str) or encoding not in ("latin1", "latin-1", "utf-8", "ascii"):
        return Opaque(Global("_codecs", "encode"), (text, encoding, errors))
    ledger.charge(len(text))
    return text.encode(encoding, "surrogatepass" if encoding == "utf-8" else "strict")


def _bytes(ledger: Ledger, *args: Any) -> Any:
    """How protocol 2 writes no bytes at all."""
    return Opaque(Global("builtins", "bytes"), args) if args else b""


def _complex(ledger: Ledger, real: Any = 0.0, imaginary: Any = 0.0) -> complex:
    return complex(real, imaginary)


def _array(ledger: Ledger, cls: Any, shape: Any, kind: Any) -> Tensor:
    """An array of NumPy, which is empty until it is given its attributes."""
    return Tensor("uint8", (0,), (1,), 0, Storage("", "uint8", 0, inline=b""), ARRAY)


def _buffer_array(ledger: Ledger, *args: Any) -> Tensor:
    from keng.ckpt.pickle.numpy_arrays import of_buffer  # late, as most files have none

    return of_buffer(*args)


DICTS = {
    "collections.OrderedDict": _dict("OrderedDict"),
    "collections.defaultdict": _dict("defaultdict"),
    "collections.Counter": _dict("Counter"),
    "builtins.dict": _dict("dict"),
}
CALLS: dict[str, Callable[..., Any]] = {
    **DICTS,
    "torch._utils._rebuild_tensor": _strided,
    "torch._utils._rebuild_tensor_v2": _strided,
    "torch._utils._rebuild_tensor_v3": _v3,
    "torch._utils._rebuild_qtensor": _quantized,
    "torch._utils._rebuild_parameter": _parameter,
    "torch._utils._rebuild_parameter_with_state": _parameter,
    "torch.nn.parameter.Parameter": _parameter,
    "torch.nn.parameter.Buffer": _buffer,
    "torch._utils._rebuild_meta_tensor_no_storage": _without_storage,
    "torch._utils._rebuild_wrapper_subclass": _wrapper,
    "torch._tensor._rebuild_from_type_v2": _of_type,
    "torch.fx.graph_module.reduce_graph_module": _traced,
    "torch.Size": _size,
    "_codecs.encode": _encode,
    "builtins.complex": _complex,
    "builtins.bytes": _bytes,
    "numpy._core.multiarray._reconstruct": _array,
    "numpy.core.multiarray._reconstruct": _array,
    "numpy._core.numeric._frombuffer": _buffer_array,
    "numpy.core.numeric._frombuffer": _buffer_array,
}
