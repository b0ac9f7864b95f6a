"""What can still be read of a file that was cut off.

A zip archive has its directory at the end, which is the first thing to be lost. torch writes the pickle
first and then the storages in the order of their keys, each after a header of its own; these headers
hold no sizes (flag 3), which the pickle knows.
"""

from __future__ import annotations

from keng.ckpt.byte_source import Source, opened
from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.formats.content import content
from keng.ckpt.formats.torch_zip import PICKLE, storage_id
from keng.ckpt.formats.zip_directory import DEFLATED, LOCAL, LOCAL_HEAD
from keng.ckpt.nodes import SIZES, Storage
from keng.ckpt.pickle.budget import Broken, Ledger, Odd
from keng.ckpt.pickle.machine import Machine
from keng.ckpt.reading import read_checkpoint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LONGEST_PICKLE = 256 * 1024 * 1024
DESCRIPTORS = (0, 16, 24)
"""Bytes that may follow an entry."""


def salvaged(path: str) -> Checkpoint:
    """The checkpoint with what of its storages is there. Raises OSError, and Broken where not even its
    pickle is."""
    found = read_checkpoint(path)
    if found.root is not None:
        return found
    with opened(path) as source:
        if source.read(0, 4) != LOCAL:
            raise Broken(found.broken[0] if found.broken else "nothing can be read")
        ledger = Ledger(content)
        ledger.allow(source.size)
        cut = _Cut(source, ledger)
        root = cut.read_checkpoint()
    says = found.broken[0] if found.broken else ""
    ledger.broken(says, path)
    facts, imports = ledger.facts, ledger.imports
    troubles, calls = tuple(ledger.troubles.values()), tuple(ledger.calls)
    return Checkpoint(path, "zip", root, (path,), source.size, imports, calls, troubles, facts)


class _Cut:
    """An archive read from its front."""

    def __init__(self, source: Source, ledger: Ledger) -> None:
        self.source, self.ledger = source, ledger
        self.storages: dict[str, Storage] = {}

    def read_checkpoint(self) -> Any:
        name, at, method = self._header(0)
        if not name.endswith(f"/{PICKLE}") or method == DEFLATED:
            raise Broken("the archive does not begin with its pickle, as torch writes it")
        size = min(self.source.size - at, LONGEST_PICKLE)
        machine = Machine(self.source.read(at, size), self.ledger, self.source.path, self._load)
        root = machine.run()
        self._place(at + machine.at)
        return root

    def _load(self, pid: Any) -> Storage:
        key, dtype, count, device = storage_id(pid)
        if key not in self.storages:
            size = count * SIZES.get(dtype, 1)
            if size > 1 << 50:
                raise Odd("a storage of a size that there is not")
            self.storages[key] = Storage(key, dtype, size, device)
        return self.storages[key]

    def _header(self, at: int) -> tuple[str, int, int]:
        """Name, place of the bytes, and method of the entry whose header is at `at`."""
        head = self.source.read(at, LOCAL_HEAD.size)
        if len(head) < LOCAL_HEAD.size or head[:4] != LOCAL:
            raise Broken("no header")
        fields = LOCAL_HEAD.unpack(head)
        name = self.source.read(at + LOCAL_HEAD.size, fields[9]).decode("utf-8", "replace")
        return name, at + LOCAL_HEAD.size + fields[9] + fields[10], fields[3]

    def _place(self, at: int) -> None:
        """Goes from entry to entry, as far as the file reaches."""
        while (begin := self._next(at)) is not None:
            name, start, _ = self._header(begin)
            storage = self.storages.get(name.rpartition("/data/")[2])
            if storage is None:
                at = start
                continue
            there = max(0, min(storage.nbytes, self.source.size - start))
            self.source.put(storage, start, there)
            at = start + there

    def _next(self, at: int) -> int | None:
        """Where the next header is: after what may follow an entry, or a little later."""
        for more in DESCRIPTORS:
            if self.source.read(at + more, 4) == LOCAL:
                return at + more
        found = self.source.read(at, 4096).find(LOCAL)
        return at + found if found >= 0 else None
