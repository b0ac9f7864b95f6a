"""torch.save of 2016, before 0.1.10: a tar archive of three files. `storages` holds a count and for each
storage a pickle (key, device, class) and its bytes; `tensors` a count and for each a pickle (key, storage,
class) and its shape; `pickle` the object, whose persistent ids are their keys."""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping, Sequence
from contextlib import suppress

from keng.ckpt.byte_source import Source
from keng.ckpt.nodes import SIZES, Global, Storage, Tensor
from keng.ckpt.pickle.budget import Broken, Ledger, Odd
from keng.ckpt.pickle.constructors import dtype_of_storage
from keng.ckpt.pickle.machine import Machine, Persistent, any_persistent, no_persistent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BLOCK = 512
FILES = ("storages", "tensors", "pickle")
KNOWN = (*FILES, "sys_info")
DIMENSIONS = 64
NUMBER, LONG = rb"[0-7]{7}\0", rb"[0-7]{11}\0"
HEADER = re.compile(
    rb"(?P<name>[!-~]{1,99})\0+(?P<numbers>(?:%s){3}(?P<size>%s)%s)(?P<sum>[0-7]{6})\0 (?P<type>[0x])\0{100}"
    rb"ustar\x0000(?P<owner>[^\0]{0,31}\0+[^\0]{0,31}\0+)(?P<device>(?:%s|\0{8}){2})\0{167}"
    % (NUMBER, LONG, LONG, NUMBER),
    re.DOTALL,
)
"""A header as Python's tarfile writes it for a regular file, or for its further attributes."""
PLACES = {"numbers": 100, "sum": 148, "owner": 265, "device": 329}
RECORD = re.compile(rb"(\d{1,3}) (?:[amc]time|[ug]id|[ug]name)=[^\n\0]{0,99}\n")
"""An attribute, after the length of all of this."""
DIGITS = b"01234567"


def looks_like_tar(source: Source) -> bool:
    """Whether some version of Python might take it for a tar archive: by the check sum of its first header,
    which counts its own eight bytes as spaces, whatever stands between its digits."""
    head = source.read(0, BLOCK)
    if len(head) < BLOCK:
        return False
    rest = sum(head[:148]) + 8 * ord(" ") + sum(head[156:])
    high = sum(byte > 127 for byte in (*head[:148], *head[156:]))
    return bool({rest, abs(rest - 256 * high)} & _numbers(head[148:156]))


def _numbers(field: bytes) -> set[int]:
    """What a field may mean to one reader or another: digits up to a NUL, all digits, or base 256."""
    texts = (field.partition(b"\0")[0], field)
    found = {int(bytes(b for b in text if b in DIGITS) or b"0", 8) for text in texts}
    if field[0] in (0o200, 0o377):
        found.add(
            abs(int.from_bytes(field[1:], "big") - (256 ** (len(field) - 1)) * (field[0] & 1))
        )
    return found


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
    members = _members(source, ledger, KNOWN)
    missing = [name for name in FILES if name not in members]
    if missing:
        raise Broken(f"a tar archive without `{missing[0]}`: no checkpoint")
    storages = _Storages(members["storages"], ledger)
    known = storages.read()
    tensors = _Tensors(members["tensors"], ledger, known)
    made = tensors.read()
    more = [_Reader(members[name], ledger) for name in members.keys() - set(FILES)]
    for reader in more:
        with suppress(Broken):
            reader.pickle(any_persistent)

    def load(pid: Any) -> Any:
        if isinstance(pid, tuple) and pid and isinstance(pid[0], Global):
            return pid[0]  # a class, with its source next to it
        found = made.get(str(pid), known.get(str(pid)))
        if found is None:
            raise Odd("a persistent id that is not in the file")
        return found

    pickle = _Reader(members["pickle"], ledger)
    value = pickle.pickle(load)
    for reader in (storages, tensors, pickle, *more):
        if reader.at < reader.source.size:
            ledger.trick(f"{reader.source.size - reader.at} bytes follow in an entry", source.path)
    return value


def names(source: Source, most: int = 1000) -> list[str]:
    """Of the first members, in their order."""
    found: list[str] = []
    at = 0
    while at + BLOCK <= source.size and len(found) < most:
        head = source.read(at, BLOCK)
        if not head.strip(b"\0"):
            break
        found.append(_name(head))
        at += BLOCK + (max(_octal(head[124:136]), 0) + BLOCK - 1) // BLOCK * BLOCK
    return found


def _name(head: bytes) -> str:
    return head[:100].partition(b"\0")[0].decode("utf-8", "replace").removeprefix("./")


def members(source: Source, ledger: Ledger) -> Mapping[str, Source]:
    """The files of an archive that torch did not write, by their names."""
    return _members(source, ledger, ())


def _members(source: Source, ledger: Ledger, known: Sequence[str]) -> Mapping[str, Source]:
    """By their names. All bytes of the archive must be as Python writes them for torch, under names that
    are known, or under any where none are."""
    found: dict[str, Source] = {}
    at = 0
    while at + BLOCK <= source.size:
        head = source.read(at, BLOCK)
        if not head.strip(b"\0"):
            break
        name = _name(head)
        size = max(_octal(head[124:136]), 0)
        member = source.part(at + BLOCK, min(size, source.size - at - BLOCK))
        is_folder = not known and head[156:157] == b"5" and not size
        if not is_folder and (not _is_canonical(head, member, known) or name in found):
            writer = "torch" if known else "Python's tarfile"
            says = f"the entry {name!r} of the tar archive is not as {writer} writes it"
            ledger.trick(says, source.path)
        if head[156:157] in (b"0", b"\0"):
            found[name] = member
        at += BLOCK + (size + BLOCK - 1) // BLOCK * BLOCK
        ledger.claim("tensors" if name == "storages" else "pickles", member.size)
        ledger.claim(
            "headers", min(at, source.size) - (member.base - source.base) - member.size + BLOCK
        )
    _ends(source, at, ledger)
    return found


def _is_canonical(head: bytes, member: Source, known: Sequence[str]) -> bool:
    """Whether a header and what it stands for have one meaning, that of Python's tarfile."""
    match = HEADER.fullmatch(head)
    if match is None or any(match.start(name) != at for name, at in PLACES.items()):
        return False
    total = sum(head[:148]) + 8 * ord(" ") + sum(head[156:])
    size = int(match["size"][:-1], 8)
    pad = member.base + size
    filled = Source(member.file, member.path, -size % BLOCK, pad, member.data)
    if int(match["sum"], 8) != total or size != member.size or filled.read(0, BLOCK).strip(b"\0"):
        return False
    if match["type"] == b"x":
        return size < 1 << 16 and _are_records(member.read(0, size))
    name = match["name"].decode()
    return name in known if known else ".." not in name.split("/") and name[0] != "/"


def _are_records(data: bytes) -> bool:
    """Whether each attribute is as long as it says: Python finds the next one by that."""
    at = 0
    while (record := RECORD.match(data, at)) and int(record[1]) == record.end() - at:
        at = record.end()
    return at == len(data)


def _ends(source: Source, at: int, ledger: Ledger) -> None:
    """Nothing but zeros may follow."""
    ledger.claim("padding", source.size - at)
    for start in range(at, source.size, 1 << 20):
        if source.read(start, 1 << 20).strip(b"\0"):
            ledger.trick("bytes follow the end of the tar archive", source.path)
            return


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
