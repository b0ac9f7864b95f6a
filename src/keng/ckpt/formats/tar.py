"""torch.save of 2016, before 0.1.10: a tar archive of three files. `storages` holds a count and for each
storage a pickle (key, device, class) and its bytes; `tensors` a count and for each a pickle (key, storage,
class) and its shape; `pickle` the object, whose persistent ids are their keys."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from contextlib import suppress

from keng.ckpt.byte_source import Source
from keng.ckpt.nodes import SIZES, Storage, Tensor
from keng.ckpt.pickle.budget import Broken, Ledger
from keng.ckpt.pickle.constructors import Odd, dtype_of_storage
from keng.ckpt.pickle.machine import Machine, Persistent, no_persistent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BLOCK = 512
FILES = ("storages", "tensors", "pickle")
DIMENSIONS = 64
RENAMES = (b"path=", b"size=", b"GNU.", b"hdrcharset=")
"""In a header of its own, of another entry's."""


def is_tar(source: Source) -> bool:
    """By the check sum of its first header, which counts its own eight bytes as spaces."""
    head = source.read(0, BLOCK)
    if len(head) < BLOCK or not head[0]:
        return False
    rest = [*head[:148], *b" " * 8, *head[156:]]
    sums = sum(rest), sum(byte - 256 if byte > 127 else byte for byte in rest)
    return _octal(head[148:156]) in sums


def _octal(field: bytes) -> int:
    """As Python's tarfile reads it: in octal digits, or in base 256 after a byte that says so."""
    if field[0] in (0o200, 0o377):
        return int.from_bytes(field[1:], "big") if field[0] == 0o200 else -1
    try:
        return int(field.partition(b"\0")[0].strip() or b"0", 8)
    except ValueError:
        return -1


def read(source: Source, ledger: Ledger) -> Any:
    """Raises Broken."""
    members = _members(source, ledger)
    missing = [name for name in FILES if name not in members]
    if missing:
        raise Broken(f"a tar archive without `{missing[0]}`: no checkpoint")
    storages = _Storages(members["storages"], ledger).read()
    tensors = _Tensors(members["tensors"], ledger, storages).read()

    for name in members.keys() - set(FILES):
        with suppress(Broken):
            _Reader(members[name], ledger).pickle()

    def load(pid: Any) -> Any:
        if isinstance(pid, tuple) and pid:
            return pid[0]  # a class, with its source beside it
        found = tensors.get(str(pid), storages.get(str(pid)))
        if found is None:
            raise Odd("a persistent id that is not in the file")
        return found

    return _Reader(members["pickle"], ledger).pickle(load)


def _members(source: Source, ledger: Ledger) -> Mapping[str, Source]:
    """By their names. An entry may give the one after it another name or size: torch wrote none such."""
    found: dict[str, Source] = {}
    at = 0
    while at + BLOCK <= source.size:
        head = source.read(at, BLOCK)
        size = _octal(head[124:136])
        if not head[0] or size < 0:
            break
        name = head[:100].partition(b"\0")[0].decode("utf-8", "replace").removeprefix("./")
        member = source.part(at + BLOCK, min(size, source.size - at - BLOCK))
        if _deceives(head, member) or name in found:
            ledger.trick(f"the entry {name} of the tar archive is not as torch writes it")
        if head[156:157] in (b"0", b"\0"):
            found[name] = member
        at += BLOCK + (size + BLOCK - 1) // BLOCK * BLOCK
    return found


def _deceives(head: bytes, member: Source) -> bool:
    kind = head[156:157]
    if kind in (b"x", b"X"):
        told = member.read(0, 1 << 16)
        return len(told) < member.size or any(word in told for word in RENAMES)
    return kind not in (b"0", b"\0") or bool(head[345:500].strip(b"\0"))


class _Reader:
    """Pickles and numbers one after the other."""

    def __init__(self, source: Source, ledger: Ledger) -> None:
        self.source, self.ledger, self.at = source, ledger, 0

    def pickle(self, persistent: Persistent = no_persistent) -> Any:
        """Raises Broken."""
        ahead = 1 << 16
        while True:
            piece = self.source.whole(self.at, ahead)
            machine = Machine(piece, self.ledger, self.source.path, persistent)
            try:
                value = machine.run()
            except Broken:
                if self.at + ahead >= self.source.size:
                    raise
                ahead *= 16
                continue
            self.at += machine.at
            return value

    def count(self) -> int:
        value = self.pickle()
        if not isinstance(value, int) or not 0 <= value <= self.source.size:
            raise Broken("a count that is none")
        return value

    def numbers(self, count: int) -> tuple[int, ...]:
        data = self.source.read(self.at, 8 * count)
        if len(data) < 8 * count:
            raise Broken("the file was cut off")
        self.at += 8 * count
        return struct.unpack(f"<{count}q", data)


class _Storages(_Reader):
    def read(self) -> dict[str, Storage]:
        found: dict[str, Storage] = {}
        for _ in range(self.count()):
            storage = self._storage(self.pickle())
            found[storage.key] = storage
        for view in self._views():
            root = found.get(str(view[1]))
            if root is None:
                raise Broken("a view of a storage that is not in the file")
            found[str(view[0])] = self._view(str(view[0]), root, view[2], view[3])
        return found

    def _storage(self, head: Any) -> Storage:
        if not isinstance(head, tuple) or len(head) != 3:
            raise Broken("a storage without key, device and class")
        try:
            dtype = dtype_of_storage(head[2])
        except Odd as odd:
            raise Broken(str(odd)) from None
        (count,) = self.numbers(1)
        size = count * SIZES[dtype]
        storage = Storage(str(head[0]), dtype, size, str(head[1]))
        if not 0 <= size <= self.source.size - self.at:
            raise Broken(f"storage {storage.key} goes beyond the end of the file")
        self.source.put(storage, self.at, size)
        self.at += size
        return storage

    def _views(self) -> list[tuple[Any, ...]]:
        views = self.pickle()
        good = isinstance(views, list) and all(isinstance(v, tuple) and len(v) == 4 for v in views)
        if not good:
            raise Broken("no list of views")
        return list(views)

    def _view(self, key: str, root: Storage, offset: int, count: int) -> Storage:
        size = SIZES[root.dtype]
        if root.place is None or not 0 <= offset * size <= (offset + count) * size <= root.nbytes:
            raise Broken("a view that is larger than its storage")
        storage = Storage(key, root.dtype, count * size, root.device)
        start = root.place.start - self.source.base + offset * size
        self.source.put(storage, start, count * size)
        return storage


class _Tensors(_Reader):
    def __init__(self, source: Source, ledger: Ledger, storages: Mapping[str, Storage]) -> None:
        super().__init__(source, ledger)
        self.storages = storages

    def read(self) -> dict[str, Tensor]:
        return dict(self._tensor(self.pickle()) for _ in range(self.count()))

    def _tensor(self, head: Any) -> tuple[str, Tensor]:
        storage = self.storages.get(str(head[1])) if isinstance(head, tuple) and head[1:] else None
        if storage is None:
            raise Broken("a tensor whose storage is not in the file")
        dimensions = self.numbers(1)[0] & 0xFFFFFFFF  # written as four bytes and four of padding
        if dimensions > DIMENSIONS:
            raise Broken(f"a tensor of {dimensions} dimensions")
        shape, stride = self.numbers(dimensions), self.numbers(dimensions)
        (offset,) = self.numbers(1)
        if min((*shape, *stride, offset)) < 0:
            raise Broken("a shape that no tensor has")
        return str(head[0]), Tensor(storage.dtype, shape, stride, offset, storage)
