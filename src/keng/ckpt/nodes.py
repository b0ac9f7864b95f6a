"""What is in the tree of a checkpoint: tensors and their storages, dicts, and what calls would have
made. The classes are written out: importing `dataclasses` takes longer than Python takes to start, and a
large file has a tensor for every thousand bytes of its pickle."""

from __future__ import annotations

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

SIZES = {
    **dict.fromkeys(("complex128",), 16),
    **dict.fromkeys(("float64", "int64", "uint64", "complex64"), 8),
    **dict.fromkeys(("float32", "int32", "uint32", "complex32", "qint32"), 4),
    **dict.fromkeys(("float16", "bfloat16", "int16", "uint16"), 2),
    **dict.fromkeys(("int8", "uint8", "bool", "qint8", "quint8", "quint4x2", "quint2x4"), 1),
    **dict.fromkeys(("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz"), 1),
    **dict.fromkeys(("float8_e8m0fnu", "float4_e2m1fn_x2", "bits8", "bits1x8"), 1),
    **dict.fromkeys(("bits2x4", "bits4x2"), 1),
    **dict.fromkeys(("bits16",), 2),
}
"""Bytes of one element, by torch's name of the dtype."""
ARRAY = "ndarray"
"""The kind of a tensor that is a NumPy array."""
SHARING = {"quint4x2": 2, "quint2x4": 4}
"""How many elements share one byte, of those that do."""
BLOCKS = {
    "q4_0": (32, 18),
    "q4_1": (32, 20),
    "q5_0": (32, 22),
    "q5_1": (32, 24),
    "q8_0": (32, 34),
    "q8_1": (32, 40),
    "q2_k": (256, 84),
    "q3_k": (256, 110),
    "q4_k": (256, 144),
    "q5_k": (256, 176),
    "q6_k": (256, 210),
    "q8_k": (256, 292),
    "iq2_xxs": (256, 66),
    "iq2_xs": (256, 74),
    "iq3_xxs": (256, 98),
    "iq1_s": (256, 50),
    "iq4_nl": (32, 18),
    "iq3_s": (256, 110),
    "iq2_s": (256, 82),
    "iq4_xs": (256, 136),
    "iq1_m": (256, 56),
    "tq1_0": (256, 54),
    "tq2_0": (256, 66),
    "mxfp4": (32, 17),
    "nvfp4": (64, 36),
    "q1_0": (128, 18),
}
"""Quantized dtypes of ggml: so many elements are stored together, in so many bytes."""

Path: TypeAlias = "tuple[Any, ...]"
"""The keys from the root to a value: str and int, or what else is a key in the file."""


class Global:
    """A class or function, by the names under which Python would import it."""

    __slots__ = ("full", "module", "name")

    def __init__(self, module: str, name: str) -> None:
        self.module, self.name = module, name
        self.full = f"{module}.{name}" if module else name

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Global):
            return NotImplemented
        return self.full == other.full and self.module == other.module

    def __hash__(self) -> int:
        return hash(self.full)

    def __str__(self) -> str:
        return self.full


class Place:
    """Where bytes lie in a file. `packed` is how many they take there where they are deflated; None
    where they are stored as they are."""

    __slots__ = ("file", "nbytes", "packed", "start")

    def __init__(self, file: str, start: int, nbytes: int, packed: int | None = None) -> None:
        self.file, self.start, self.nbytes, self.packed = file, start, nbytes, packed


class Storage:
    """One run of memory; tensors that share it hold the very same object.

    `nbytes` is the size that its tensors were promised, `place` where they lie: None where the file
    lacks them, or they were never written (meta tensors); a reader may come to it only later.
    `device` is the tag as stored ("cuda:0"). `inline` holds what is in the pickle itself. `crc`
    is the CRC-32 that the file gives, of all the bytes.
    """

    __slots__ = ("crc", "device", "dtype", "inline", "key", "nbytes", "place")

    def __init__(
        self,
        key: str,
        dtype: str,
        nbytes: int,
        device: str = "cpu",
        place: Place | None = None,
        crc: int | None = None,
        inline: bytes | None = None,
    ) -> None:
        self.key, self.dtype, self.nbytes, self.device = key, dtype, nbytes, device
        self.place, self.crc, self.inline = place, crc, inline


class Tensor:
    """`offset` and `stride` count elements of `dtype` in the storage. `kind` is the class it was
    saved as; `state` what else was saved with it (a quantizer, attributes, or that its values are
    conjugates of the bytes). `parts` make up a tensor that is spread over several places, whose own
    storage then has none."""

    __slots__ = (
        *("dtype", "shape", "stride", "offset", "storage"),
        *("kind", "requires_grad", "state", "parts"),
    )

    def __init__(
        self,
        dtype: str,
        shape: tuple[int, ...],
        stride: tuple[int, ...],
        offset: int,
        storage: Storage,
        kind: str = "Tensor",
        requires_grad: bool = False,
        state: Any = None,
        parts: tuple[Part, ...] = (),
    ) -> None:
        self.dtype, self.shape, self.stride, self.offset = dtype, shape, stride, offset
        self.storage, self.kind, self.requires_grad = storage, kind, requires_grad
        self.state, self.parts = state, parts

    def but(self, **changes: Any) -> Tensor:
        """The same, but for these."""
        return Tensor(**{name: getattr(self, name) for name in self.__slots__} | changes)

    @property
    def numel(self) -> int:
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        """Raises KeyError where the dtype is not known."""
        return SIZES[self.dtype]

    @property
    def nbytes(self) -> int:
        """Of its elements, whatever the storage holds next to them."""
        return bytes_of(self.numel, self.dtype)

    @property
    def turned(self) -> Dict | None:
        """What is noted of it where its values are conjugates of the bytes, or their negatives."""
        noted = self.state.names if isinstance(self.state, Dict) else {}
        found = [(key, noted[key]) for key in ("conj", "neg") if noted.get(key) is True]
        return Dict(pairs=found) if found else None

    @property
    def wraps(self) -> bool:
        """Whether it has no bytes of its own, but other tensors among its attributes."""
        return self.state is not None and self.storage.device == "meta"

    @property
    def contiguous(self) -> bool:
        return self.numel <= 1 or all(
            size == 1 or stride == step
            for size, stride, step in zip(self.shape, self.stride, steps(self.shape), strict=True)
        )

    @property
    def reach(self) -> int:
        """Bytes that the storage must have for this tensor to lie in it."""
        if 0 in self.shape:
            return 0
        pairs = zip(self.shape, self.stride, strict=True)
        last = self.offset + sum((size - 1) * stride for size, stride in pairs)
        return bytes_of(last + 1, self.dtype)


class Part:
    """A box of a larger tensor that begins at `start`."""

    __slots__ = ("start", "tensor")

    def __init__(self, start: tuple[int, ...], tensor: Tensor) -> None:
        self.start, self.tensor = start, tensor


class Dict:
    """A dict or one of its kin ("OrderedDict", "defaultdict", "Counter"), with its entries as they
    were set: the last of a key counts. `state` holds its attributes (a state dict's `_metadata`)."""

    __slots__ = ("kind", "pairs", "state")

    def __init__(
        self, kind: str = "dict", pairs: list[tuple[Any, Any]] | None = None, state: Any = None
    ) -> None:
        self.kind, self.pairs, self.state = kind, [] if pairs is None else pairs, state

    def get(self, key: str | int) -> Any:
        """None where there is no such entry."""
        return next((v for k, v in reversed(self.pairs) if type(k) is type(key) and k == key), None)

    @property
    def names(self) -> dict[str, Any]:
        """The entries whose keys are str."""
        return {key: value for key, value in self.pairs if isinstance(key, str)}


class Opaque:
    """What calling `name` with `args` would have made; nothing was called. `state` is what the object
    would have been given as its attributes, `items` and `pairs` what would have been put into it."""

    __slots__ = ("args", "items", "name", "pairs", "state")

    def __init__(
        self, name: Global, args: Any = (), state: Any = None, items: list[Any] | None = None
    ) -> None:
        self.name, self.args, self.state = name, args, state
        self.items: list[Any] = [] if items is None else items
        self.pairs: list[tuple[Any, Any]] = []

    @property
    def first(self) -> Any:
        """The first argument; None where there is none."""
        return self.args[0] if isinstance(self.args, tuple) and self.args else None


def bytes_of(count: int, dtype: str) -> int:
    """That so many elements take; one each where the dtype is not known."""
    if dtype in BLOCKS:
        elements, size = BLOCKS[dtype]
        return -(-count // elements) * size
    return -(-count // SHARING[dtype]) if dtype in SHARING else count * SIZES.get(dtype, 1)


def steps(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides, in elements, of a contiguous tensor."""
    made, step = [], 1
    for size in reversed(shape):
        made.append(step)
        step *= max(size, 1)
    return tuple(reversed(made))
