"""Arrays in files of NumPy: a header, which is a dict of Python, and the bytes of the array, or a pickle.

Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

from keng.ckpt.byte_source import Source
from keng.ckpt.nodes import SIZES, Global, Opaque, Storage, Tensor, steps
from keng.ckpt.pickle.budget import Broken, Ledger
from keng.ckpt.pickle.machine import Machine
from keng.ckpt.pickle.numpy_arrays import KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAGIC = b"\x93NUMPY"
HEADER = re.compile(
    rb"\{'descr': (?P<descr>'[^'\\]{1,40}'|\[[^\\]{1,8000}?\]), 'fortran_order': (?P<order>True|False), "
    rb"'shape': \((?P<shape>(?:\d{1,19}L?, ?)*(?:\d{1,19}L?)?)\), \} *\n"
)
"""As NumPy writes it, to the letter: for NumPy it is a dict of Python, in which the last of a key counts."""
VERSIONS = {b"\x01\0": 2, b"\x02\0": 4, b"\x03\0": 4}
"""Bytes of the length of the header, by the version."""
LONGEST_HEADER = 10_000
"""Bytes; NumPy reads no longer ones of a file that it may not trust."""
TYPE = rb"'[<>|=]?[bifcuSUVMm]\d{0,9}(?:\[\w{1,9}\])?'"
RECORDS = rb"\[(?:\('[^'\\]{0,99}', " + TYPE + rb"(?:, \([\d, ]{0,99}\))?\)(?:, )?)+\]"
"""What holds no objects of Python."""
OBJECTS = (b"'|O'", b"'O'", b"'|O8'")


class Member:
    """A file of NumPy, by itself or in an archive: `put` tells a storage where its bytes lie, `data` gives
    them all."""

    def __init__(
        self,
        name: str,
        nbytes: int,
        put: Callable[[Storage], None],
        data: Callable[[], bytes],
    ) -> None:
        self.name, self.nbytes, self.put, self.data = name, nbytes, put, data


def read_file(source: Source, ledger: Ledger) -> Any:
    """A .npy file. Raises Broken."""

    def put(storage: Storage) -> None:
        ledger.claim("tensors", source.size)
        source.put(storage, 0, source.size)

    def data() -> bytes:
        ledger.claim("pickles", source.size)
        return source.whole(0, source.size)

    head = source.read(0, LONGEST_HEADER)
    made = read(head, Member("the array", source.size, put, data), ledger, source.path)
    if made is None:
        raise Broken("a file of NumPy whose header keng cannot read")
    return made


def read(head: bytes, member: Member, ledger: Ledger, path: str) -> Any:
    """The array, or what is pickled in its stead; None where its header is not NumPy's. Raises Broken."""
    width = VERSIONS.get(head[6:8], 4)
    size = 8 + width + int.from_bytes(head[8 : 8 + width], "little")
    header = HEADER.fullmatch(head[8 + width : size])
    if head[:6] != MAGIC:
        ledger.note(f"{member.name} is no array: NumPy gives its bytes", path)
        return None
    descr = header["descr"] if header else b""
    if not header or head[6:8] not in VERSIONS or not re.fullmatch(TYPE + b"|" + RECORDS, descr):
        return _objects(member, size, descr in OBJECTS, ledger, path)
    if descr[:1] == b"[":
        member.put(Storage(member.name, "uint8", member.nbytes))
        ledger.note(f"{member.name} is of records, whose values keng does not read", path)
        return Opaque(Global("numpy", "ndarray"), (descr.decode("ascii", "replace"),))
    name = descr.strip(b"'").decode("ascii")
    dtype = KINDS.get(name.lstrip("<|="), name)
    shape = tuple(int(part.rstrip(b"L ")) for part in header["shape"].split(b",") if part.strip())
    stride = steps(shape) if header["order"] == b"False" else steps(shape[::-1])[::-1]
    storage = Storage(member.name, dtype, member.nbytes)
    member.put(storage)
    # The header is filled up to a multiple of 16 bytes, so that the array begins at a whole element.
    made = Tensor(dtype, shape, stride, size // SIZES.get(dtype, 1), storage, "ndarray")
    if dtype in SIZES and member.nbytes > size + made.nbytes:
        ledger.trick(f"{member.name} has more bytes than its array", path)
    return made


def _objects(member: Member, at: int, known: bool, ledger: Ledger, path: str) -> Any:
    """An array of Python objects is a pickle, which NumPy loads where it is allowed to; so may be one whose
    header is not known."""
    data = member.data()
    machine = Machine(data, ledger, path, at=at)
    if known:
        value = machine.run()
        if machine.at < len(data):
            ledger.trick(f"bytes follow the pickle in {member.name}", path)
        return value
    ledger.trick(f"{member.name} has a header that keng cannot read", path)
    with suppress(Broken):
        machine.run()
    return None
