"""A checkpoint as it lies in its file, without torch and with nothing in it executed: the tree of
values, the tensors and their storages with the place of their bytes, and the names that loading it
would import and call.

Python's own None, bool, int, float, complex, str, bytes, list and tuple stand for themselves in the
tree. A file may make it a graph with cycles, or one in which a node has 2**60 paths: whoever walks it
visits each node once, as `Checkpoint.tensors` does.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Union

from keng.model import Hit, Span
from keng.model import Value as Plain

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

Format = Literal[
    "zip",  # torch.save since 1.6
    "legacy",  # torch.save from 0.1.10 to 1.5
    "tar",  # torch.save of 2016
    "pickle",  # a pickle without torch around it
    "torchscript",
    "export",
    "safetensors",
    "npz",
    "sharded",  # files named by an index
    "dcp",  # torch.distributed.checkpoint
    "zero",  # DeepSpeed
    "unknown",
]
Value = Union[
    None, bool, int, float, complex, str, bytes, "list[Any]", "tuple[Any, ...]",
    "Dict", "Tensor", "Storage", "Global", "Opaque",
]  # fmt: skip
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


@dataclass(frozen=True, slots=True)
class Call:
    """What would be called when the file is loaded, with which arguments, by the pickle at `file`."""

    name: Global
    args: Any
    file: str


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is wrong with a file. broken: it cannot be read as it should, or not all of it. trick: no
    honest writer makes it so; readers may see different things in it. note: worth knowing."""

    kind: Literal["broken", "trick", "note"]
    says: str
    file: str = ""


@dataclass(frozen=True, slots=True)
class Stats:
    """The values of a tensor: how many are NaN and infinite, and of the others the least, the greatest,
    the mean and the 2-norm. `channels` holds the mean absolute value of each output channel of a
    convolution's weight (three dimensions or more)."""

    nan: int
    inf: int
    least: float
    greatest: float
    mean: float
    norm: float
    channels: tuple[float, ...] = ()


@dataclass(frozen=True)
class Checkpoint:
    """A file or folder as read. `root` is None where nothing could be read; `imports` tells how often
    each name is imported, `calls` the first calls of those names that are not known to be inert.
    `unknown` and `dangerous` are the names of `imports` that are not known, and known to act.
    `facts` are what the container tells: versions, metadata. `stats` is empty where nobody asked for
    the values to be read."""

    path: str
    format: Format
    root: Any
    files: tuple[str, ...] = ()
    nbytes: int = 0
    imports: Mapping[Global, int] = field(default_factory=dict)
    calls: tuple[Call, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    byteorder: Literal["little", "big"] = "little"
    stats: Mapping[Path, Stats] = field(default_factory=dict)

    @property
    def broken(self) -> list[str]:
        return self.told("broken")

    def told(self, kind: str) -> list[str]:
        """What the troubles of one kind say."""
        return [trouble.says for trouble in self.troubles if trouble.kind == kind]

    def hit(self, says: str, sure: bool = True, **evidence: Plain) -> Hit:
        return Hit(says, Span(self.path, 1), evidence, sure=sure)

    @cached_property
    def tensors(self) -> dict[Path, Tensor]:
        """Every tensor by its first path, in the order of the file."""
        return {path: node for path, node in walk(self.root) if isinstance(node, Tensor)}

    @cached_property
    def storages(self) -> list[Storage]:
        """Every storage once, in the order of the file; those of parts as well."""
        found: dict[int, Storage] = {}
        for _, node in walk(self.root):
            for storage in _storages_of(node):
                found.setdefault(id(storage), storage)
        return list(found.values())

    @property
    def modules(self) -> Iterator[tuple[Path, Opaque]]:
        """The modules that are pickled as objects, those within others left out."""
        found: Path | None = None
        for path, node in walk(self.root):
            if found is not None and path[: len(found)] == found:
                continue
            state = node.state if isinstance(node, Opaque) else None
            if isinstance(state, Dict) and set(MEMBERS) <= set(state.names):
                found = path
                yield path, node

    @property
    def dicts(self) -> Iterator[tuple[Path, Dict]]:
        return ((path, node) for path, node in walk(self.root) if isinstance(node, Dict))

    @property
    def state_dicts(self) -> Iterator[tuple[Path, Dict, dict[str, int]]]:
        """The state dicts that note the version of each module, with these by the module's name."""
        for path, node in walk(self.root):
            state = node.state if isinstance(node, Dict) else None
            noted = state.get("_metadata") if isinstance(state, Dict) else None
            if isinstance(noted, Dict):
                entries = {
                    name: each for name, each in noted.names.items() if isinstance(each, Dict)
                }
                versions = {name: each.get("version") for name, each in entries.items()}
                yield path, node, {k: v for k, v in versions.items() if isinstance(v, int)}

    def window(self, storage: Storage, start: int = 0, stop: int | None = None) -> bytes:
        """Bytes `start:stop` of a storage, read now and not kept. Raises OSError where the file cannot
        be read, ValueError where it lacks them."""
        stop = storage.nbytes if stop is None else stop
        if storage.inline is not None:
            found = storage.inline[start:stop]
        elif storage.place is None:
            raise ValueError(f"the bytes of storage {storage.key} are not in the file")
        else:
            found = _read(storage.place, start, min(stop, storage.place.nbytes))
        if len(found) != max(0, stop - start):
            raise ValueError(f"storage {storage.key} has {len(found)} of {stop - start} bytes")
        return found


Word = Literal["KNOWN", "UNKNOWN", "DANGEROUS", "BROKEN"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What may be said of a file before it is loaded. Nothing is "clean": KNOWN says that every name
    it imports is known to be inert, and that all readers of it see the same.

    `dangerous` and `unknown` are names, `calls` what would be done with them, `tricks` and `broken`
    what is wrong with the file, in words.
    """

    word: Word
    dangerous: tuple[Global, ...] = ()
    unknown: tuple[Global, ...] = ()
    calls: tuple[Call, ...] = ()
    tricks: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()


def steps(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides, in elements, of a contiguous tensor."""
    made, step = [], 1
    for size in reversed(shape):
        made.append(step)
        step *= max(size, 1)
    return tuple(reversed(made))


def dotted(path: Path) -> str:
    """ "state_dict.layer.weight" """
    return ".".join(str(key) if isinstance(key, str | int) else "?" for key in path)


DEEPEST = 500
"""Levels of a tree that are looked at; torch's own machine, which recurses, gives up at 1000."""


def walk(root: Any) -> Iterator[tuple[Path, Any]]:
    """Every node once, with its first path, before what is in it. Of a pickled module the parameters,
    buffers and modules go by the names that its state dict would give them."""
    yield (), root
    seen = {id(root)}
    open_: list[tuple[Path, Iterator[tuple[Path, Any]]]] = [((), inside(root))]
    while open_:
        path, children = open_[-1]
        more, node = next(children, (None, None))
        if more is None:
            open_.pop()
        elif not isinstance(node, NODES):
            yield path + more, node
        elif id(node) not in seen:
            seen.add(id(node))
            yield path + more, node
            if len(open_) < DEEPEST:
                open_.append((path + more, inside(node)))


def inside(node: Any) -> Iterator[tuple[Path, Any]]:
    """What lies in a node, by the path from it."""
    if isinstance(node, Dict):
        yield from (((key,), value) for key, value in node.pairs)
    elif isinstance(node, list | tuple):
        yield from (((n,), value) for n, value in enumerate(node))
    elif isinstance(node, Tensor) and node.state is not None:
        yield ("state",), node.state
    elif isinstance(node, Opaque):
        yield from (((n,), value) for n, value in enumerate(node.items))
        yield from (((key,), value) for key, value in node.pairs)
        yield from (((f"args[{n}]",), each) for n, each in enumerate(_sequence(node.args)))
        yield from _attributes(node.state)


NODES = (list, tuple, Dict, Opaque, Tensor, Storage)
MEMBERS = ("_parameters", "_buffers", "_modules")


def _attributes(state: Any) -> Iterator[tuple[Path, Any]]:
    if not isinstance(state, Dict):
        if state is not None:
            yield ("state",), state
        return
    for key, value in state.pairs:
        if key in MEMBERS and isinstance(value, Dict):
            yield from (((name,), member) for name, member in value.pairs)
        else:
            yield (key,), value


def _sequence(value: Any) -> Iterator[Any]:
    return iter(value if isinstance(value, list | tuple) else (value,))


def _storages_of(node: Any) -> Iterator[Storage]:
    if isinstance(node, Storage):
        yield node
    elif isinstance(node, Tensor):
        if not node.parts:
            yield node.storage
        yield from (storage for part in node.parts for storage in _storages_of(part.tensor))


def _read(place: Place, start: int, stop: int) -> bytes:
    with open(place.file, "rb", buffering=0) as file:
        if place.packed is None:
            file.seek(place.start + start)
            return _exactly(file, max(0, stop - start))
        file.seek(place.start)
        packed = _exactly(file, place.packed)
    whole = zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, max(stop, 1))
    return whole[start:stop]


def _exactly(file: Any, count: int) -> bytes:
    """A raw file may give less than it is asked for; it gives nothing only at its end."""
    pieces = []
    while count and (piece := file.read(count)):
        pieces.append(piece)
        count -= len(piece)
    return b"".join(pieces) if len(pieces) != 1 else pieces[0]
