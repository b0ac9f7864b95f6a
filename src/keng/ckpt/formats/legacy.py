"""torch.save before 1.6: five pickles (a magic number, a version, the writer's machine, the object, the
keys of its storages), then each storage as its number of elements in eight bytes and its bytes."""

from __future__ import annotations

from keng.ckpt.byte_source import Source
from keng.ckpt.formats.torch_zip import storage_id
from keng.ckpt.nodes import SIZES, Dict, Global, Place, Storage
from keng.ckpt.pickle.budget import Broken, Ledger, Odd
from keng.ckpt.pickle.machine import Machine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAGIC = 0x1950A86A20F9469CFC6C
VERSION = 1001


class Storages:
    """What persistent ids stand for. A storage may be a view of another one."""

    def __init__(self) -> None:
        self.known: dict[str, Storage] = {}
        self.views: list[tuple[Storage, Storage, int]] = []

    def load(self, pid: Any) -> Any:
        if isinstance(pid, tuple) and len(pid) == 4 and pid[0] == "module":
            if not isinstance(pid[1], Global) or any(
                type(text) not in (str, type(None)) for text in pid[2:]
            ):
                raise Odd("a class that is none, with its source")
            return pid[1]
        key, dtype, count, device = storage_id(pid)
        size = SIZES.get(dtype, 1)
        root = self.known.setdefault(key, Storage(key, dtype, count * size, device))
        view = pid[5] if len(pid) > 5 else None
        return root if view is None else self._view(root, view, size)

    def _view(self, root: Storage, view: Any, size: int) -> Storage:
        if not (isinstance(view, tuple) and len(view) == 3 and _counts(view[1:])):
            raise Odd("a view of a storage that is none")
        key, offset, count = f"{root.key}/{view[0]}", view[1] * size, view[2] * size
        if key not in self.known:
            self.known[key] = Storage(key, root.dtype, count, root.device)
            self.views.append((self.known[key], root, offset))
        return self.known[key]

    def placed(self) -> None:
        """Gives the views their bytes, once the storages have theirs."""
        for view, root, offset in self.views:
            if root.place is not None:
                start = root.place.start + offset
                count = max(0, min(view.nbytes, root.place.nbytes - offset))
                view.place = Place(root.place.file, start, count)


def _counts(values: Any) -> bool:
    return all(isinstance(value, int) and 0 <= value < 2**60 for value in values)


def read(data: Any, source: Source, ledger: Ledger, at: int) -> Any:
    """What follows the magic number, which ends at `at`. Raises Broken; the object is read even where
    its storages are not all there."""
    begin = at
    version, at = _pickle(data, source, ledger, at)
    if version != VERSION:
        raise Broken("a version of the legacy format that there is not")
    machine_info, at = _pickle(data, source, ledger, at)
    if isinstance(machine_info, Dict) and machine_info.get("little_endian") is False:
        ledger.facts["byteorder"] = "big"
    storages = Storages()
    machine = Machine(data, ledger, source.path, storages.load, at, source.base + source.size)
    root = machine.run()
    try:
        keys, at = _pickle(data, source, ledger, machine.at)
        ledger.claim("pickles", at - begin)
        _place(keys, storages, source, at - source.base, ledger)
    except Broken as broken:
        ledger.broken(str(broken), source.path)
    storages.placed()
    return root


def _pickle(data: Any, source: Source, ledger: Ledger, at: int) -> tuple[Any, int]:
    machine = Machine(data, ledger, source.path, at=at, stop=source.base + source.size)
    return machine.run(), machine.at


def _place(keys: Any, storages: Storages, source: Source, at: int, ledger: Ledger) -> None:
    if not isinstance(keys, list):
        raise Broken("no list of the keys of the storages")
    for key in keys:
        storage = storages.known.get(str(key))
        if storage is None:
            raise Broken(f"a storage {str(key)[:40]} that no tensor has")
        head = source.read(at, 8)
        if len(head) < 8:
            raise Broken(
                f"storage {storage.key} and those after it are missing: the file was cut off"
            )
        count = int.from_bytes(head, "little") * SIZES.get(storage.dtype, 1)
        if count != storage.nbytes:
            raise Broken(f"storage {storage.key} has {count} of {storage.nbytes} bytes")
        there = max(0, min(count, source.size - at - 8))
        source.put(storage, at + 8, there)
        if there < count:
            raise Broken(
                f"storage {storage.key} has {there} of {count} bytes: the file was cut off"
            )
        ledger.claim("tensors", 8 + there)
        at += 8 + count
    if at < source.size:
        ledger.trick(f"{source.size - at} bytes follow the last storage", source.path)
