"""torch.save since 1.6: a zip archive with a pickle, `data.pkl`, and a `data/KEY` for each storage."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress

from keng.ckpt.formats.zip_directory import DEFLATED, Archive, Entry
from keng.ckpt.nodes import SIZES, Storage
from keng.ckpt.pickle.budget import Broken, Ledger, Odd
from keng.ckpt.pickle.constructors import dtype_of_storage
from keng.ckpt.pickle.machine import Machine, any_persistent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PICKLE = "data.pkl"
FACTS = {
    "version": r"\d{1,4}(?:\.\d{1,4})?\s?",
    ".data/version": r"\d{1,4}\s?",
    "byteorder": r"\w{1,20}",
    ".format_version": r"\d{1,4}",
    ".storage_alignment": r"\d{1,9}",
    ".data/serialization_id": r"\d{1,60}",
    "archive_format": r"\w{1,20}",
    "archive_version": r"\d{1,4}",
}
"""The small entries and what they hold."""
TOLD = ("version", "byteorder", ".format_version", ".storage_alignment")
LARGEST_BESIDE = 64 * 1024 * 1024
"""Bytes of an entry that no checkpoint has."""


def root_of(names: Iterable[str]) -> str:
    """The folder that torch loads, with its slash: that of the first entry. Empty where it is in none."""
    folder, slash, _ = next(iter(names), "").partition("/")
    return folder + slash if slash else ""


def read_pickle(archive: Archive, name: str, folder: str) -> Any:
    """The value of a pickle whose storages lie in a folder of the archive. Raises Broken."""
    entry = archive.entries[name]
    if entry.method == DEFLATED:
        archive.ledger.trick(f"{name} is compressed, which torch never does", archive.source.path)
    data = archive.bytes_of(name, "pickles")
    storages = Storages(archive, folder)
    machine = Machine(data, archive.ledger, archive.source.path, storages.load)
    value = machine.run()
    if machine.at < len(data):
        says = f"{len(data) - machine.at} bytes follow the pickle in {name}"
        archive.ledger.trick(says, archive.source.path)
    return value


class Storages:
    """What persistent ids stand for: each storage once, by its key."""

    def __init__(self, archive: Archive, folder: str) -> None:
        self.archive, self.folder = archive, folder
        self.known: dict[str, Storage] = {}

    def load(self, pid: Any) -> Storage:
        key, dtype, count, device = storage_id(pid)
        if key not in self.known:
            size = count * SIZES.get(dtype, 1)
            storage = self.known[key] = Storage(key, dtype, size, device)
            self._find(storage)
        return self.known[key]

    def _find(self, storage: Storage) -> None:
        archive = self.archive
        entry = archive.entries.get(f"{self.folder}{storage.key}")
        if entry is None:
            archive.ledger.broken(f"storage {storage.key} is missing", archive.source.path)
            return
        archive.seen[entry.name] = "tensors"
        storage.crc = entry.crc
        packed = entry.packed if entry.method == DEFLATED else None
        archive.source.put(storage, entry.start, entry.nbytes, packed)
        if entry.nbytes != storage.nbytes:
            says = f"storage {storage.key} has {entry.nbytes} of {storage.nbytes} bytes"
            archive.ledger.broken(says, archive.source.path)


def storage_id(pid: Any) -> tuple[str, str, int, str]:
    """Key, dtype, number of elements and device of a storage. Raises Odd."""
    if not isinstance(pid, tuple) or len(pid) < 5 or pid[0] != "storage":
        raise Odd("a persistent id that is no storage's")
    _, cls, key, device, count = pid[:5]
    if not isinstance(key, str | int) or not isinstance(device, str):
        raise Odd("a storage without key or device")
    if not isinstance(count, int) or not 0 <= count < 2**60:
        raise Odd("a storage of a size that there is not")
    return str(key), dtype_of_storage(cls), count, device


def facts_of(archive: Archive, folder: str) -> None:
    """What the small entries tell: the version of the format, the order of bytes."""
    for name, pattern in FACTS.items():
        entry = archive.entries.get(folder + name)
        if entry is None or entry.nbytes >= 64:
            continue
        text = archive.bytes_of(folder + name).decode("ascii", "replace")
        if not re.fullmatch(pattern, text):
            archive.ledger.trick(f"{entry.name} is not as torch writes it", archive.source.path)
        if name in TOLD:
            archive.ledger.facts[name.lstrip(".")] = text.strip()
    if archive.ledger.facts.get("byteorder", "little") not in ("little", "big"):
        archive.ledger.broken("an order of bytes that there is not", archive.source.path)


def read(archive: Archive, ledger: Ledger) -> Any:
    """Raises Broken."""
    folder = root_of(archive.entries)
    facts_of(archive, folder)
    if folder + PICKLE not in archive.entries:
        raise Broken(f"no data.pkl in {folder}, which is what torch loads")
    return read_pickle(archive, folder + PICKLE, folder + "data/")


def account(archive: Archive, known: bool) -> None:
    """Claims the bytes of every entry, and reports those that no loader of this kind of archive reads, where
    the kind is known: they may be loaded by other means."""
    claimed = 0
    for name, entry in archive.entries.items():
        archive.ledger.claim(archive.seen.get(name, "unread"), entry.packed)
        claimed += entry.packed
        if name not in archive.seen and entry.packed:
            if known:
                archive.ledger.trick(f"{name} is no part of a checkpoint", archive.source.path)
            _names_in(archive, entry)
    archive.ledger.claim("headers", archive.source.size - claimed)


def _names_in(archive: Archive, entry: Entry) -> None:
    """Notes what an entry would import that may be a pickle."""
    start = archive.source.read(entry.start, 1)
    if start == b"\x80" or entry.name.lower().endswith(".pkl"):
        with suppress(Broken):
            if entry.nbytes <= LARGEST_BESIDE:
                data = archive.bytes_of(entry.name, "unread")
                Machine(data, archive.ledger, archive.source.path, any_persistent).run()
