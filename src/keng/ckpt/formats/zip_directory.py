"""Reads the directory of a zip archive, and compares it with the header that stands before each
entry. Python, torch's miniz and scanners trust one or the other; where they differ, what one program
has looked at is not what another loads.

Layouts: APPNOTE.TXT 6.3, sections 4.3.7 (local header), 4.3.12 (directory), 4.3.14 to 16 (its end).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from operator import attrgetter

from keng.ckpt.byte_source import LARGEST_PICKLE, Source
from keng.ckpt.pickle.budget import Broken, Ledger

LOCAL, CENTRAL, END, END64, LOCATOR64 = (
    *(b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"),
)
STORED, DEFLATED = 0, 8
ENCRYPTED, DESCRIPTOR = 0x1, 0x8
CENTRAL_HEAD = struct.Struct("<4s6H3I5H2I")
LOCAL_HEAD = struct.Struct("<4s5H3I2H")
END_HEAD = struct.Struct("<4s4H2IH")
LONGEST_COMMENT = 0xFFFF
LARGE = 0xFFFFFFFF
"""In place of a size that stands elsewhere."""
ODD = {"\0", "\\", "\ufffd"}
ENTRY = 25
"""Units of work (`ledger.WORK`)."""
RATIO = 200
"""Times that a pickle may grow as it is unpacked; torch does not pack them at all."""


class Entry:
    """`start` is where its bytes begin in the source, `head` where its header does; both are known for
    sure only when the header was looked at."""

    __slots__ = ("crc", "flags", "head", "method", "name", "nbytes", "packed", "start")

    def __init__(
        self, name: str, method: int, flags: int, crc: int, packed: int, nbytes: int, head: int
    ) -> None:
        self.name, self.method, self.flags, self.crc = name, method, flags, crc
        self.packed, self.nbytes, self.head, self.start = packed, nbytes, head, head


class Archive:
    """The entries of a zip archive by name; the last of a name counts, as for Python."""

    def __init__(self, source: Source, ledger: Ledger) -> None:
        """Raises Broken where there is no directory."""
        self.source, self.ledger = source, ledger
        self.entries: dict[str, Entry] = {}
        self.seen: set[str] = set()  # the names of those that some value was made of
        start, size, count, shift = self._directory()
        ledger.spend(count * ENTRY)
        found = list(self._entries(start, size, count))
        for entry in found:
            self._locate(entry, shift)
            self.entries[entry.name] = entry
        self._names(found)
        self._overlaps(found, start)

    def _directory(self) -> tuple[int, int, int, int]:
        """Start, size and number of entries of the directory, and how far the archive is shifted."""
        begin = max(0, self.source.size - END_HEAD.size - LONGEST_COMMENT)
        tail = self.source.read(begin, self.source.size - begin)
        at = tail.rfind(END)
        if at < 0 or len(tail) < at + END_HEAD.size:
            raise Broken(
                "the directory at the end of the zip archive is missing: the file was cut off"
            )
        _, _, _, _, count, size, start, comment = END_HEAD.unpack_from(tail, at)
        end = begin + at
        self._after(len(tail) - at - END_HEAD.size, comment)
        if at >= 20 and tail[at - 20 : at - 16] == LOCATOR64:
            end, count, size, start = self._directory64(struct.unpack_from("<Q", tail, at - 12)[0])
        shift = end - size - start
        if shift:
            self.ledger.trick(f"{shift} bytes stand before the zip archive", self.source.path)
        return start + shift, size, count, shift

    def _after(self, left: int, comment: int) -> None:
        if left != comment:
            says = f"{left - comment} bytes stand after the zip archive"
            self.ledger.trick(says, self.source.path)
        elif comment:
            self.ledger.note(f"the zip archive has a comment of {comment} bytes", self.source.path)

    def _directory64(self, at: int) -> tuple[int, int, int, int]:
        head = self.source.read(at, 56)
        if len(head) < 56 or head[:4] != END64:
            raise Broken("the directory of the zip archive is not where it is said to be")
        count, size, start = struct.unpack_from("<3Q", head, 32)
        return at, count, size, start

    def _entries(self, start: int, size: int, count: int) -> Iterator[Entry]:
        data = self.source.whole(start, size) if start >= 0 else b""
        at = 0
        for _ in range(count):
            if len(data) < at + CENTRAL_HEAD.size or data[at : at + 4] != CENTRAL:
                raise Broken("the directory of the zip archive is damaged")
            fields = CENTRAL_HEAD.unpack_from(data, at)
            flags, method, crc, packed, whole = fields[3], fields[4], *fields[7:10]
            name_size, extra_size, comment, head = *fields[10:13], fields[16]
            at += CENTRAL_HEAD.size
            name = data[at : at + name_size].decode("utf-8", "replace")
            extra = data[at + name_size : at + name_size + extra_size]
            if LARGE in (whole, packed, head):
                whole, packed, head = _wide(extra, whole, packed, head)
            at += name_size + extra_size + comment
            if fields[13] or (method == STORED and packed != whole):
                says = f"{name} has two sizes, or lies on another disk, in the directory"
                self.ledger.trick(says, self.source.path)
            yield Entry(name, method, flags, crc, packed, whole, head)
        if at != size:
            self.ledger.trick("the directory of the zip archive holds more than its entries")

    def _locate(self, entry: Entry, shift: int) -> None:
        """Finds the place of its bytes, by a look at its own header."""
        entry.head = head = entry.head + shift
        encoded = entry.name.encode()
        data = self.source.read(head, LOCAL_HEAD.size + len(encoded))
        if len(data) < LOCAL_HEAD.size or data[:4] != LOCAL:
            self.ledger.broken(f"{entry.name} has no header where it should be", self.source.path)
        else:
            fields = LOCAL_HEAD.unpack_from(data)
            entry.start = head + LOCAL_HEAD.size + fields[9] + fields[10]
            named = fields[9] == len(encoded) and data[LOCAL_HEAD.size :] == encoded
            self._compare(entry, fields, named)
        if entry.start + entry.packed > self.source.size:
            self.ledger.broken(f"{entry.name} goes beyond the end of the file", self.source.path)
        wrong = entry.method not in (STORED, DEFLATED) or entry.flags & ENCRYPTED
        if wrong:
            self.ledger.trick(f"{entry.name} is packed as torch packs nothing", self.source.path)

    def _compare(self, entry: Entry, fields: tuple[int, ...], named: bool) -> None:
        flags, method, crc, packed, whole = fields[2], fields[3], *fields[6:9]
        differ = []
        if not named:
            differ.append("name")
        if method != entry.method:
            differ.append("method")
        if flags != entry.flags:
            differ.append("flags")
        if not flags & DESCRIPTOR and LARGE not in (packed, whole):
            if (packed, whole) != (entry.packed, entry.nbytes):
                differ.append("size")
            if crc != entry.crc:
                differ.append("CRC")
        if differ:
            says = f"the two headers of {entry.name} differ in {', '.join(differ)}"
            self.ledger.trick(says, self.source.path)

    def _names(self, entries: list[Entry]) -> None:
        """torch finds an entry whatever the case of its name, Python only by the name itself."""
        seen: set[str] = set()
        for name in (entry.name for entry in entries):
            if name.lower() in seen:
                self.ledger.trick(f"two entries are named {name}", self.source.path)
            seen.add(name.lower())
            if name.startswith("/") or ".." in name.split("/") or set(name) & ODD:
                self.ledger.trick(f"{name!r} is a name that torch gives to none", self.source.path)

    def _overlaps(self, entries: list[Entry], directory: int) -> None:
        end = 0
        for entry in sorted(entries, key=attrgetter("head")):
            if entry.head < end:
                says = f"{entry.name} lies over the entry before it"
                self.ledger.trick(says, self.source.path)
            if entry.head - end >= LOCAL_HEAD.size:
                self._hidden(end, entry.head)
            end = entry.start + entry.packed
        self._hidden(end, directory)

    def _hidden(self, start: int, stop: int) -> None:
        """Looks for an entry between two others, behind what may follow the first: where that has written
        its size only then, up to 24 bytes. In less than a header there is none."""
        if LOCAL not in self.source.read(start, min(stop - start, 24 + len(LOCAL))):
            return
        says = "an entry stands in the zip archive that its directory does not name"
        self.ledger.trick(says, self.source.path)

    def bytes_of(self, name: str) -> bytes:
        """An entry unpacked, its CRC compared. Raises Broken."""
        entry = self.entries[name]
        self.seen.add(name)
        if entry.nbytes > LARGEST_PICKLE:
            raise Broken(f"{name} takes {entry.nbytes} bytes")
        data = self.source.read(entry.start, entry.packed)
        if entry.method == DEFLATED:
            data = self._inflated(entry, data)
        if entry.crc and zlib.crc32(data) != entry.crc:
            self.ledger.trick(f"the CRC of {name} is wrong; torch does not look", self.source.path)
        return data

    def _inflated(self, entry: Entry, data: bytes) -> bytes:
        limit = min(entry.nbytes, max(len(data) * RATIO, 1 << 20))
        if entry.nbytes > limit:
            raise Broken(f"{entry.name} unpacks to more than {RATIO} times its size")
        try:
            return zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, limit)
        except zlib.error:
            raise Broken(f"{entry.name} cannot be unpacked") from None


def _wide(extra: bytes, whole: int, packed: int, head: int) -> tuple[int, int, int]:
    """Sizes above 4 GB stand in an extra field, those only that do not fit."""
    at, values = 0, [whole, packed, head]
    while at + 4 <= len(extra):
        kind, size = struct.unpack_from("<2H", extra, at)
        if kind == 1:
            field = extra[at + 4 : at + 4 + size]
            numbers = iter(struct.unpack(f"<{len(field) // 8}Q", field[: len(field) // 8 * 8]))
            values = [next(numbers, v) if v == LARGE else v for v in values]
        at += 4 + size
    return values[0], values[1], values[2]
