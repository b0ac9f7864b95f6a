"""Hostile zip archives: torch, Python's zipfile and miniz read different entries of the same bytes."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator

from containers import PERSISTENT, Hostile, harm, late, npy, plain, records, saved, zipped

KIND = "zip"
FACTS = [("a/byteorder", b"little"), ("a/version", b"3\n")]
STORED = ("a/data/0", bytes(16))
OBJECT = npy(b"{'descr': '|O', 'fortran_order': False, 'shape': (), }", harm())
NUMBER = npy(b"{'descr': '<f8', 'fortran_order': False, 'shape': (), }", bytes(8))


def files() -> Iterator[Hostile]:
    yield from _cases()
    yield from _others()
    yield from _directories()


def _cases() -> Iterator[Hostile]:
    """torch finds an entry whatever the case of its name."""
    for name, more in {
        "export": [("a/archive_format", b"pt2")],
        "export-old": [("a/serialized_exported_program.json", b"{}")],
        "script": [("b/constants.pkl", plain(())), ("b/data.pkl", plain({}))],
        "package": [("a/.data/extern_modules", b"")],
        "unwritten": [("a/.data/serialization_id", b"1")],
    }.items():
        for pickle_name in ("DATA.PKL", "Data.pkl"):
            entries = [(f"a/{pickle_name}", late()), *FACTS, STORED, *more]
            file = f"case-{name}-{pickle_name[:2]}"
            loader = "" if name == "script" else "torch"  # torch 2.13 wants one folder
            yield _of(file, zipped(entries), "issue 34: names whatever their case", loader)
    bare = [("data.pkl", plain({})), ("version", b"3\n")]
    yield _of("no-folder", zipped(bare), "zip: entries without a folder", "")
    upper = [("A/data.pkl", plain({})), ("a/DATA.PKL", late()), *FACTS, STORED]
    yield _of("case-folder", zipped(upper), "zip: the case of the folder", "")
    both = [("a/data.pkl", plain({})), ("a/CONSTANTS.PKL", late()), *FACTS, STORED]
    yield _of("case-constants", zipped(both), "zip: the case of constants.pkl", "")


def _others() -> Iterator[Hostile]:
    """Pickles in entries that torch.save does not write."""
    for name in ("extra.pkl", "extra", "code/x.pkl", "data/9", "data/0.pkl", ".data/x"):
        more = {name: late()}
        file = f"other-{name.strip('.').replace('/', '-')}"
        yield _of(file, saved(plain({}), more), "picklescan CVE-2025-1889", "")
    script = {"data.pkl": plain({}), "constants.pkl": plain(()), "extra.pkl": late()}
    yield _of("other-script", records(script), "picklescan CVE-2025-1889", "")
    yield _of("second-pickle", saved(plain({}) + harm()), "a second pickle in data.pkl", "")
    array = {"data/0": OBJECT}
    size = b"K\x04tQ".replace(b"\x04", bytes((len(OBJECT) // 4,)))
    holds = b"\x80\x02" + PERSISTENT[:-1].replace(b"K\x04tQ", size) + b"."
    assert len(OBJECT) % 4 == 0
    yield _of("array", saved(holds, array), "a storage that NumPy reads as objects", "numpy", "npz")
    last = plain({})[:-1] + late()[2:]
    yield _of("late", saved(last), "issue 34: machine stops early")
    roots = [("b/data.pkl", plain({})), ("a/data.pkl", late()), STORED]
    yield _of("two-roots", zipped(roots), "torch loads the folder of the first entry", "")
    backwards = [("a/data.pkl", late()), STORED, *FACTS, ("b/constants.pkl", plain(()))]
    backwards += [("b/data.pkl", plain({})), ("b/version", b"3\n")]
    yield _of("script-beside", zipped(backwards), "issue 34: looks like TorchScript", "")
    member = [("x.npy", NUMBER), ("y.npy", b"\x80\x02" + late()[2:])]
    yield _of("npz-pickle", zipped(member), "a pickle in an npz", "", "npz")


def _directories() -> Iterator[Hostile]:
    """More than one directory, or more than one name of an entry."""
    good, evil = zipped([("x.npy", NUMBER)]), zipped([("x.npy", OBJECT)])
    yield _of("npz-two", _two_directories(good, evil), "zip64: two directories", "numpy", "npz")
    yield _of("npz-then-npz", good + evil, "zip: the last directory counts", "numpy", "npz")
    comment = good[:-2] + struct.pack("<H", len(evil)) + evil
    yield _of("npz-comment", comment, "zip: a directory in the comment", "numpy", "npz")
    yield _of("npz-unicode-path", _unicode_path(), "zip: Unicode path", "", "npz")
    hidden = _without_directory(zipped([("a/data.pkl", plain({})), ("a/x.pkl", late()), *FACTS]))
    yield _of("unlisted", hidden, "zip: an entry without a line in the directory", "")
    gap = _gap(late())
    yield _of("gap", gap, "zip: a pickle between two entries", "")
    extra = _extra(late())
    yield _of("extra-field", extra, "zip: a pickle in an extra field", "")
    yield _of("flag", _flagged(saved(late())), "picklescan CVE-2025-1945", "")
    yield _of("crc", _wrong_crc(saved(late())), "picklescan CVE-2025-10156", "torch")


def _two_directories(good: bytes, evil: bytes) -> bytes:
    """The locator names one zip64 end, and Python reads the one that lies before the locator."""
    end_good, end_evil = good.index(b"PK\x05\x06"), evil.index(b"PK\x05\x06")
    first, shift = _end64(good, end_good, 0), end_good + 56
    body = good[:end_good] + first
    moved = bytearray(evil[:end_evil])
    start = moved.index(b"PK\x01\x02")
    struct.pack_into("<I", moved, start + 42, shift)
    second = _end64(evil, end_evil, shift)
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, end_good, 1)
    tail = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return body + bytes(moved) + second + locator + tail


def _end64(data: bytes, end: int, shift: int) -> bytes:
    count, size, start = struct.unpack_from("<H2I", data, end + 10)
    fields = (b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, size, start + shift)
    return struct.pack("<4sQ2H2I4Q", *fields)


def _unicode_path() -> bytes:
    name = b"x.npy"
    field = struct.pack("<BI", 1, zlib.crc32(b"y.bin")) + name
    info = zipfile.ZipInfo("y.bin")
    info.extra = struct.pack("<HH", 0x7075, len(field)) + field
    import io

    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("z.npy", NUMBER)
        archive.writestr(info, OBJECT)
    return out.getvalue().replace(b"y.bin", b"y.npy", 1)


def _without_directory(data: bytes) -> bytes:
    start = data.index(b"PK\x01\x02")
    second = data.index(b"PK\x01\x02", start + 4)
    third = data.index(b"PK\x01\x02", second + 4)
    end = data.index(b"PK\x05\x06")
    fields = struct.unpack("<4s4H2IH", data[end:])
    size = fields[5] - (third - second)
    tail = struct.pack("<4s4H2IH", fields[0], 0, 0, 3, 3, size, fields[6], 0)
    return data[:second] + data[third:end] + tail


def _gap(hidden: bytes) -> bytes:
    data = zipped([("a/data.pkl", plain({})), *FACTS])
    start, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    tail = bytearray(data[end:])
    struct.pack_into("<I", tail, 16, start + len(hidden))
    return data[:start] + hidden + data[start:end] + bytes(tail)


def _extra(hidden: bytes) -> bytes:
    import io

    info = zipfile.ZipInfo("a/data.pkl")
    info.extra = struct.pack("<HH", 0x4246, len(hidden)) + hidden
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(info, plain({}))
        archive.writestr("a/version", b"3\n")
    return out.getvalue()


def _flagged(data: bytes) -> bytes:
    at = data.index(b"PK\x01\x02")
    return data[: at + 8] + b"\x09\x08" + data[at + 10 :]


def _wrong_crc(data: bytes) -> bytes:
    at = data.index(b"PK\x01\x02")
    return data[: at + 16] + b"abcd" + data[at + 20 :]


def _of(name: str, data: bytes, source: str, loader: str = "torch", suffix: str = "pt") -> Hostile:
    return Hostile(f"zip-{name}.{suffix}", data, KIND, loader, source)
