"""The tree of a checkpoint as a pickle that torch's weights_only reader accepts.

Protocol 2, as torch.save writes it. What that reader would refuse is left out and listed.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, NamedTuple

from keng.ckpt.byte_source import Stretch
from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.nodes import SIZES, Dict, Global, Opaque, Path, Storage, Tensor
from keng.ckpt.pickle.constructors import STORAGES
from keng.ckpt.pickle.numpy_scalars import number
from keng.ckpt.tree import dotted
from keng.ckpt.writing.contents import joined

CLASSES = {dtype: f"{name}Storage" for name, dtype in STORAGES.items() if name != "Untyped"}
"""torch's storage classes by the dtypes that have one."""
CALLED = {
    "torch.device",
    "torch.Size",
    "torch.serialization._get_layout",
    "torch._utils._rebuild_sparse_tensor",
    "torch._utils._rebuild_nested_tensor",
    "collections.Counter",
    "builtins.set",
    "builtins.bytearray",
}
NAMED = ("torch", "torch.serialization")
"""Modules whose names stand for themselves: dtypes, quantization schemes, layouts."""
DICTS = {"OrderedDict": "collections", "Counter": "collections"}

Change = Callable[[Tensor], Tensor]


class Refused(Exception):  # noqa: N818
    """A value that has no place in such a file."""


class Written(NamedTuple):
    """How many tensors were written, and what was left out, by name, with the reason."""

    tensors: int
    left_out: dict[str, str]


class Pickler:
    """`storages` are those that the pickle names, by the names that it gives them ("0", "1", ...);
    `left_out` the paths of what was, with what it is."""

    def __init__(self, change: Change = lambda tensor: tensor) -> None:
        self.change = change
        self.out = bytearray(b"\x80\x02")
        self.storages: dict[str, Storage] = {}
        self.left_out: dict[str, str] = {}
        self._tensors = 0
        self._keys: dict[int, str] = {}
        self._memo: dict[int, int] = {}
        self._kept: list[Any] = []

    def dump(self, root: Any) -> bytes:
        """Raises Refused where nothing of it can be written."""
        self._save(root, ())
        return bytes(self.out) + b"."

    @property
    def written(self) -> Written:
        return Written(self._tensors, self.left_out)

    def _save(self, value: Any, path: Path) -> None:
        self._tensors += isinstance(value, Tensor)
        if id(value) in self._memo:
            self._get(self._memo[id(value)])
        elif isinstance(value, Tensor):
            self._tensor(value, path)
        elif isinstance(value, Dict):
            self._dict(value, path)
        elif isinstance(value, list):
            self._list(value, path)
        elif isinstance(value, tuple):
            self._tuple(value, path)
        elif isinstance(value, Opaque | Global):
            self._named(value, path)
        elif isinstance(value, Stretch):
            self._plain(Checkpoint("", "unknown", None).window(value))
        else:
            self._plain(value)

    def _plain(self, value: Any) -> None:
        out = self.out
        if value is None:
            out += b"N"
        elif isinstance(value, bool):
            out += b"\x88" if value else b"\x89"
        elif isinstance(value, int):
            self._int(value)
        elif isinstance(value, float):
            out += b"G" + struct.pack(">d", value)
        elif isinstance(value, str):
            data = value.encode("utf-8", "surrogatepass")
            out += b"X" + struct.pack("<I", len(data)) + data
        elif isinstance(value, complex):
            self._call("builtins", "complex", (value.real, value.imag))
        elif isinstance(value, bytes):
            self._call("_codecs", "encode", (value.decode("latin1"), "latin1"))
        else:
            raise Refused(f"a {type(value).__name__}")

    def _int(self, value: int) -> None:
        if 0 <= value < 256:
            self.out += b"K" + bytes([value])
        elif -(2**31) <= value < 2**31:
            self.out += b"J" + struct.pack("<i", value)
        else:
            data = value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)
            if len(data) > 255:
                raise Refused("an integer of more than 255 bytes")
            self.out += b"\x8a" + bytes([len(data)]) + data

    def _list(self, value: list[Any], path: Path) -> None:
        self.out += b"]"
        self._put(value)
        self.out += b"("
        for n, each in enumerate(value):
            self._or_left_out(each, (*path, n), lambda: None, lambda: self._plain(None))
        self.out += b"e"

    def _tuple(self, value: tuple[Any, ...], path: Path) -> None:
        self.out += b"("
        for n, each in enumerate(value):
            self._save(each, (*path, n))
        self.out += b"t"
        self._put(value)

    def _dict(self, value: Dict, path: Path) -> None:
        if value.kind in DICTS:
            self._call(DICTS[value.kind], value.kind, ())
        else:
            self.out += b"}"
        self._put(value)
        self.out += b"("
        for key, each in value.pairs:
            self._or_left_out(each, (*path, key), lambda key=key: self._save(key, path))  # type: ignore[misc]
        self.out += b"u"
        if value.kind == "OrderedDict" and isinstance(value.state, Dict):
            self._or_left_out(
                value.state, (*path, "state"), lambda: None, lambda: self._plain(None)
            )
            self.out += b"b"

    def _or_left_out(
        self,
        value: Any,
        path: Path,
        before: Callable[[], None],
        otherwise: Callable[[], None] = lambda: None,
    ) -> None:
        """What cannot be written is taken back, with its key."""
        mark, known, count = len(self.out), len(self._kept), self._tensors
        try:
            before()
            self._save(value, path)
        except Refused as refused:
            del self.out[mark:]
            for each in self._kept[known:]:
                del self._memo[id(each)]
            del self._kept[known:]
            self._tensors = count
            self.left_out[dotted(path)] = str(refused)
            otherwise()

    def _named(self, value: Opaque | Global, path: Path) -> None:
        if isinstance(value, Global):
            if value.module not in NAMED:
                raise Refused(f"the name `{value}`")
            self._global(value.module, value.name)
            return
        if (scalar := number(value)) is not None:
            self._plain(scalar)  # which torch.load reads with weights_only=True, too
            return
        if str(value.name) not in CALLED or not isinstance(value.args, tuple):
            raise Refused(f"a `{value.name}`")
        self._call(value.name.module, value.name.name, value.args, path)
        self._put(value)

    def _tensor(self, original: Tensor, path: Path) -> None:
        tensor = self.change(joined(original) if original.parts else original)
        if tensor.dtype not in SIZES:
            raise Refused(f"a tensor of {tensor.dtype}")
        if tensor.storage.device == "meta":
            self._meta(tensor, path)
        elif tensor.kind == "Parameter":
            self._global("torch._utils", "_rebuild_parameter")
            self.out += b"("
            self._strided(tensor.but(kind="Tensor"), path)
            self._save(tensor.requires_grad, path)
            self._save(Dict("OrderedDict"), path)
            self.out += b"tR"
        else:
            self._strided(tensor, path)
        self._put(original)

    def _meta(self, tensor: Tensor, path: Path) -> None:
        if tensor.kind not in ("Tensor", "Parameter", "Buffer"):
            raise Refused(f"a {tensor.kind}, which wraps other tensors")
        args = (Global("torch", tensor.dtype), tensor.shape, tensor.stride, tensor.requires_grad)
        self._call("torch._utils", "_rebuild_meta_tensor_no_storage", args, path)

    def _strided(self, tensor: Tensor, path: Path) -> None:
        hooks, where = (
            Dict("OrderedDict"),
            (tensor.storage, tensor.offset, tensor.shape, tensor.stride),
        )
        self._global("torch._utils", self._rebuilder(tensor))
        self.out += b"("
        self._storage(tensor)
        for each in where[1:]:
            self._save(each, path)
        if tensor.dtype.startswith("q"):
            self._save(tensor.state, path)
        self._save(tensor.requires_grad, path)
        self._save(hooks, path)
        if tensor.dtype not in CLASSES:
            self._save(Global("torch", tensor.dtype), path)
        if (turned := tensor.turned) is not None:
            self._save(turned, path)
        self.out += b"tR"

    def _rebuilder(self, tensor: Tensor) -> str:
        if tensor.dtype.startswith("q"):
            return "_rebuild_qtensor"
        return "_rebuild_tensor_v2" if tensor.dtype in CLASSES else "_rebuild_tensor_v3"

    def _storage(self, tensor: Tensor) -> None:
        storage = tensor.storage
        key = self._keys.setdefault(id(storage), str(len(self._keys)))
        self.storages[key] = storage
        name = CLASSES.get(tensor.dtype)
        count = storage.nbytes // SIZES[tensor.dtype] if name else storage.nbytes
        self.out += b"("
        self._plain("storage")
        if name:
            self._global("torch", name)
        else:
            self._global("torch.storage", "UntypedStorage")
        for each in (key, "cpu", count):
            self._plain(each)
        self.out += b"tQ"

    def _call(self, module: str, name: str, args: tuple[Any, ...], path: Path = ()) -> None:
        self._global(module, name)
        self.out += b"("
        for each in args:
            self._save(each, path)
        self.out += b"tR"

    def _global(self, module: str, name: str) -> None:
        self.out += f"c{module}\n{name}\n".encode()

    def _put(self, value: Any) -> None:
        number = len(self._memo)
        self._memo[id(value)] = number
        self._kept.append(value)
        self.out += b"r" + struct.pack("<I", number)

    def _get(self, number: int) -> None:
        self.out += b"j" + struct.pack("<I", number)
