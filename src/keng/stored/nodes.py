"""What stands in the tree of a checkpoint: tensors and their storages, dicts, and what calls would have
made."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

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

Path = tuple[Any, ...]
"""The keys from the root to a value: str and int, or what else is a key in the file."""


@dataclass(frozen=True, slots=True)
class Global:
    """A class or function, by the names under which Python would import it."""

    module: str
    name: str

    def __str__(self) -> str:
        return f"{self.module}.{self.name}" if self.module else self.name


@dataclass(frozen=True, slots=True)
class Place:
    """Where bytes lie in a file. `packed` is how many they take there where they are deflated; None
    where they are stored as they are."""

    file: str
    start: int
    nbytes: int
    packed: int | None = None


@dataclass(slots=True, eq=False)
class Storage:
    """One run of memory; tensors that share it hold the very same object.

    `nbytes` is the size that its tensors were promised, `place` where they lie: None where the file
    lacks them, or they were never written (meta tensors); a reader may come to it only later.
    `device` is the tag as stored ("cuda:0"). `inline` holds what stands in the pickle itself. `crc`
    is the CRC-32 that the file gives, of all the bytes.
    """

    key: str
    dtype: str
    nbytes: int
    device: str = "cpu"
    place: Place | None = None
    crc: int | None = None
    inline: bytes | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Tensor:
    """`offset` and `stride` count elements of `dtype` in the storage. `kind` is the class it was
    saved as; `state` what else was saved with it (a quantizer, attributes, or that its values are
    conjugates of the bytes). `parts` make up a tensor
    that is spread over several places, whose own storage then has none."""

    dtype: str
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    offset: int
    storage: Storage
    kind: str = "Tensor"
    requires_grad: bool = False
    state: Any = None
    parts: tuple[Part, ...] = ()

    @property
    def numel(self) -> int:
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        """Raises KeyError where the dtype is not known."""
        return SIZES[self.dtype]

    @property
    def nbytes(self) -> int:
        """Of its elements, whatever the storage holds beside them."""
        return self.numel * SIZES.get(self.dtype, 1)

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
        return (last + 1) * SIZES.get(self.dtype, 1)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A box of a larger tensor that begins at `start`."""

    start: tuple[int, ...]
    tensor: Tensor


@dataclass(slots=True, eq=False)
class Dict:
    """A dict or one of its kin ("OrderedDict", "defaultdict", "Counter"), with its entries as they
    were set: the last of a key counts. `state` holds its attributes (a state dict's `_metadata`)."""

    kind: str = "dict"
    pairs: list[tuple[Any, Any]] = field(default_factory=list)
    state: Any = None

    def get(self, key: str | int) -> Any:
        """None where there is no such entry."""
        return next((v for k, v in reversed(self.pairs) if type(k) is type(key) and k == key), None)

    @property
    def names(self) -> dict[str, Any]:
        """The entries whose keys are str."""
        return {key: value for key, value in self.pairs if isinstance(key, str)}


@dataclass(slots=True, eq=False)
class Opaque:
    """What calling `name` with `args` would have made; nothing was called. `state` is what the object
    would have been given as its attributes, `items` and `pairs` what would have been put into it."""

    name: Global
    args: Any = ()
    state: Any = None
    items: list[Any] = field(default_factory=list)
    pairs: list[tuple[Any, Any]] = field(default_factory=list)


def steps(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides, in elements, of a contiguous tensor."""
    made, step = [], 1
    for size in reversed(shape):
        made.append(step)
        step *= max(size, 1)
    return tuple(reversed(made))
