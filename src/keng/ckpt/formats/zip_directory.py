"""Reads the directory of a zip archive, and compares it with the header that is before each
entry. Python, torch's miniz and scanners trust one or the other; where they differ, what one program
has looked at is not what another loads.

Layouts: APPNOTE.TXT 6.3, sections 4.3.7 (local header), 4.3.12 (directory), 4.3.14 to 16 (its end).
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from operator import attrgetter

from keng.ckpt.byte_source import LARGEST_PICKLE, Source, in_memory
from keng.ckpt.pickle.budget import Broken, Ledger

LOCAL, CENTRAL, END, END64, LOCATOR64 = (
    *(b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"),
)
STORED, DEFLATED = 0, 8
ENCRYPTED, DEFLATE_LEVEL, DESCRIPTOR, UTF_8 = 0x1, 0x6, 0x8, 0x800
DESCRIPTORS = {16: "<4s3I", 24: "<4sI2Q"}
"""Layouts of what follows an entry whose sizes were not known when its header was written."""
DESCRIPTOR_MARK = b"PK\x07\x08"
ZIP64, PADDING = 1, int.from_bytes(b"FB", "little")
"""The extra fields that torch and Python write. torch fills up the second with the letter Z."""
ARRAY = b"\x93NUMPY"
AHEAD = 128
"""Bytes that are read with a header: enough for its extra fields at torch's default alignment."""
HEADER_AT_MOST = 512
"""Bytes of a header with its name and extra fields, as a rule."""
CENTRAL_HEAD = struct.Struct("<4s6H3I5H2I")
LOCAL_HEAD = struct.Struct("<4s5H3I2H")
END_HEAD = struct.Struct("<4s4H2IH")
LONGEST_COMMENT = 0xFFFF
LARGE = 0xFFFFFFFF
"""In place of a size that stands elsewhere."""
LOCATOR64_FIELDS = LOCATOR64 + bytes(4) + b"\1\0\0\0"
"""All of the locator but the place: one disk, on which the end of the directory is."""
ODD = {"\0", "\\", "\ufffd"}
ASKED = frozenset(
    """
data.pkl constants.pkl bytecode.pkl mobile_debug_handles.pkl version byteorder .format_version
.storage_alignment archive_format archive_version model.json model.pt extern_modules serialization_id
serialized_exported_program.json serialized_state_dict.pt serialized_constants.pt
serialized_example_inputs.pt model_weights_config.json model_constants_config.json
""".split()
)
"""Names, without their folder, of entries that torch asks for; it finds them whatever their case."""
ENTRY = 25
"""Units of work (`ledger.WORK`)."""
RATIO = 200
"""Times that a pickle may grow as it is unpacked; torch does not pack them at all."""


class Entry:
    """`start` is where its bytes begin in the source, `head` where its header does; both are known for
    sure only when the header was checked."""

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
        self.arrays: set[str] = set()  # entries that begin as arrays of NumPy do
        self.seen: dict[str, str] = {}  # what the bytes of an entry are, of those that were read
        start, size, count, shift = self._directory()
        ledger.spend(count * ENTRY)
        found = list(self._entries(start, size, count))
        source.ahead((e.head + shift - AHEAD, e.head + shift + HEADER_AT_MOST) for e in found)
        self._described: Entry | None = None  # the entry that a descriptor must follow
        end = 0
        for entry in found:
            end = self._locate(entry, shift, end)
            self.entries[entry.name] = entry
        last = self.source.read(end, min(start - end, AHEAD))
        if end > start or ((last or self._described) and not self._describes(last)):
            self._trick(f"{abs(start - end)} bytes before the directory belong to no entry")
        self._names(found)
        self._overlaps(found, start)

    def _trick(self, says: str) -> None:
        self.ledger.trick(says, self.source.path)

    def _directory(self) -> tuple[int, int, int, int]:
        """Start, size and number of entries of the directory, and how far the archive is shifted."""
        begin = max(0, self.source.size - END_HEAD.size - LONGEST_COMMENT)
        tail = self.source.read(begin, self.source.size - begin)
        at = tail.rfind(END)
        if at < 0 or len(tail) < at + END_HEAD.size:
            raise Broken(
                "the directory at the end of the zip archive is missing: the file was cut off"
            )
        _, disk, first, here, count, size, start, comment = END_HEAD.unpack_from(tail, at)
        end = begin + at
        self._after(len(tail) - at - END_HEAD.size, comment)
        if disk or first or here != count:
            self._trick("the zip archive has several disks")
        if at >= 20 and tail[at - 20 : at - 16] == LOCATOR64:
            plain = count, size, start
            place = struct.unpack_from("<Q", tail, at - 12)[0]
            if place != end - 76 or tail[at - 20 : at - 12] + tail[at - 4 : at] != LOCATOR64_FIELDS:
                self._trick("the zip64 end of the directory is not before its locator")
            end, count, size, start = self._directory64(place)
            wide = zip((count, size, start), plain, (0xFFFF, LARGE, LARGE), strict=True)
            if any(narrow not in (value, most) for value, narrow, most in wide):
                self._trick("the two ends of the directory differ")
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
        length, _, _, disk, first, here, count, size, start = struct.unpack_from(
            "<Q2H2I4Q", head, 4
        )
        if length != 44 or disk or first or here != count:
            self._trick("the zip64 end of the directory is not as torch or Python writes it")
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
            raw = data[at : at + name_size]
            name = raw.decode("utf-8", "replace")
            if extra_size or comment or not raw.isascii():
                extra = data[at + name_size : at + name_size + extra_size]
                if LARGE in (whole, packed, head):
                    whole, packed, head = _wide(extra, whole, packed, head)
                if comment or not _is_plain(extra) or not (raw.isascii() or flags & UTF_8):
                    self._trick(f"{name} is not listed as torch or Python lists it")
            at += name_size + extra_size + comment
            if fields[13] or (method == STORED and packed != whole):
                self._trick(f"{name} has two sizes, or lies on another disk, in the directory")
            yield Entry(name, method, flags, crc, packed, whole, head)
        if at != size:
            self.ledger.trick("the directory of the zip archive holds more than its entries")

    def _locate(self, entry: Entry, shift: int, end: int) -> int:
        """Finds the place of its bytes, by its own header, which follows the entry before it, whose
        bytes end at `end`. Returns where its own bytes end."""
        entry.head = head = entry.head + shift
        encoded = entry.name.encode()
        before = head - end if 0 <= head - end <= AHEAD else 0
        count = before + LOCAL_HEAD.size + len(encoded) + AHEAD
        piece = self.source.read(head - before, count)
        data = piece[before:]
        if len(data) < LOCAL_HEAD.size or data[:4] != LOCAL:
            self.ledger.broken(f"{entry.name} has no header where it should be", self.source.path)
        else:
            fields = LOCAL_HEAD.unpack_from(data)
            name_size, extra_size = fields[9], fields[10]
            entry.start = head + LOCAL_HEAD.size + name_size + extra_size
            begin = LOCAL_HEAD.size + name_size
            named = name_size == len(encoded) and data[LOCAL_HEAD.size : begin] == encoded
            self._compare(entry, fields, named)
            extra = data[begin : begin + extra_size]
            if len(extra) < extra_size:
                extra = self.source.read(head + begin, extra_size)
            if extra and not _is_plain(extra):
                self._trick(f"{entry.name} has extra fields that neither torch nor Python writes")
        described = self._described is not None and bool(end)
        begin = entry.start - head + before
        first = piece[begin : begin + len(ARRAY)]
        if len(first) < len(ARRAY):  # its extra fields are long
            first = self.source.read(entry.start, len(ARRAY))
        if first == ARRAY:
            self.arrays.add(entry.name)
        if head - before != end or ((before or described) and not self._describes(piece[:before])):
            self._trick(f"the bytes before {entry.name} belong to no entry")
        stop = entry.start + entry.packed
        if stop > self.source.size:
            self.ledger.broken(f"{entry.name} goes beyond the end of the file", self.source.path)
        levels = DEFLATE_LEVEL if entry.method == DEFLATED else 0
        if entry.method not in (STORED, DEFLATED) or entry.flags & ~(DESCRIPTOR | UTF_8 | levels):
            self._trick(f"{entry.name} is packed as torch packs nothing")
        self._described = entry if entry.flags & DESCRIPTOR else None
        return stop

    def _describes(self, data: bytes) -> bool:
        """Whether this is the descriptor of the entry before, no more and no less."""
        entry, layout = self._described, DESCRIPTORS.get(len(data))
        if entry is None or layout is None:
            return False
        fields = struct.unpack(layout, data)
        return fields == (DESCRIPTOR_MARK, entry.crc, entry.packed, entry.nbytes)

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
                self._trick(f"{name!r} is a name that torch gives to none")
            last = name.rpartition("/")[2]
            if last.lower() in ASKED and last not in ASKED:
                self._trick(f"torch finds {name} under the name {last.lower()}")

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

    def bytes_of(self, name: str, what: str = "text") -> bytes:
        """An entry unpacked, its CRC compared. Raises Broken."""
        entry = self.entries[name]
        self.seen[name] = what
        if entry.nbytes > LARGEST_PICKLE:
            raise Broken(f"{name} takes {entry.nbytes} bytes")
        data = self.source.read(entry.start, entry.packed)
        if entry.method == DEFLATED:
            data = self._inflated(entry, data)
        if entry.crc and zlib.crc32(data) != entry.crc:
            self.ledger.trick(f"the CRC of {name} is wrong; torch does not look", self.source.path)
        return data

    def member(self, name: str, what: str) -> Source:
        """An entry as a file. Raises Broken."""
        entry = self.entries[name]
        if entry.method == DEFLATED:
            return in_memory(self.bytes_of(name, what), self.source.path)
        self.seen[name] = what
        return self.source.part(entry.start, entry.packed)

    def _inflated(self, entry: Entry, data: bytes) -> bytes:
        limit = min(entry.nbytes, max(len(data) * RATIO, 1 << 20))
        if entry.nbytes > limit:
            raise Broken(f"{entry.name} unpacks to more than {RATIO} times its size")
        try:
            unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
            whole = unpacker.decompress(data, limit)
        except zlib.error:
            raise Broken(f"{entry.name} cannot be unpacked") from None
        if whole[: len(ARRAY)] == ARRAY:
            self.arrays.add(entry.name)
        if len(whole) != entry.nbytes or not unpacker.eof or unpacker.unused_data:
            self._trick(f"{entry.name} unpacks to another size than the directory says")
        return whole


def _is_plain(extra: bytes) -> bool:
    """Whether the extra fields hold sizes, once, or torch's padding, and nothing else."""
    at, sizes = 0, 0
    while at + 4 <= len(extra):
        kind, size = struct.unpack_from("<2H", extra, at)
        field = extra[at + 4 : at + 4 + size]
        at += 4 + size
        if kind == PADDING and not field.strip(b"Z"):
            continue
        sizes += 1
        if kind != ZIP64 or size not in (8, 16, 24) or sizes > 1:
            return False
    return at == len(extra)


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
