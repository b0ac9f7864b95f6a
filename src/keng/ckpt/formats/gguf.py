"""GGUF: a header of keys and values, a table of tensors, and their bytes, each at a multiple of an alignment.

Layout: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

from __future__ import annotations

import struct

from keng.ckpt.byte_source import Source
from keng.ckpt.formats import templates
from keng.ckpt.nodes import Dict, Storage, Tensor, bytes_of, steps
from keng.ckpt.pickle.budget import Broken, Ledger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NUMBERS = {
    0: "B",
    1: "b",
    2: "H",
    3: "h",
    4: "I",
    5: "i",
    6: "f",
    7: "?",
    10: "Q",
    11: "q",
    12: "d",
}
"""Layouts of the types of values."""
TEXT, LIST = 8, 9
TYPES = {
    **dict(enumerate("float32 float16 q4_0 q4_1".split())),
    **dict(enumerate("q5_0 q5_1 q8_0 q8_1 q2_k q3_k q4_k q5_k q6_k q8_k".split(), 6)),
    **dict(enumerate("iq2_xxs iq2_xs iq3_xxs iq1_s iq4_nl iq3_s iq2_s iq4_xs".split(), 16)),
    **dict(enumerate("int8 int16 int32 int64 float64 iq1_m bfloat16".split(), 24)),
    34: "tq1_0",
    35: "tq2_0",
    39: "mxfp4",
    40: "nvfp4",
    41: "q1_0",
}
"""torch's dtypes, or ggml's where torch has none, by ggml's numbers."""
PIECE = 1 << 20
VALUE, TENSOR = 8, 60
"""Units of work (`ledger.WORK`)."""
MOST_DIMENSIONS = 4
CUT_OFF = "the header ends before it should: the file was cut off"
TEMPLATE = "tokenizer.chat_template"


def read(source: Source, ledger: Ledger) -> Dict:
    """The metadata and the tensors. Raises Broken."""
    header = _Header(source, ledger)
    header.take(4)
    version = header.number("I")
    if version not in (2, 3):
        raise Broken(f"GGUF of version {version}, which keng does not read")
    tensors, values = header.number("Q"), header.number("Q")
    metadata, keys, names = Dict(), set[str](), set[str]()
    for _ in range(values):
        key, value = header.text(), header.value(header.number("I"))
        _once(key, keys, source, ledger)
        metadata.pairs.append((key, value))
        if key.startswith(TEMPLATE) and isinstance(value, str):
            templates.judge(value, key, ledger, source.path)
    table = [header.tensor() for _ in range(tensors)]
    alignment = metadata.get("general.alignment") or 32
    if not isinstance(alignment, int) or alignment < 8 or alignment & 7 or alignment > 1 << 16:
        raise Broken("an alignment that no writer of GGUF has")
    begin = -(-header.at // alignment) * alignment
    ledger.claim("headers", header.at)
    ledger.facts["version"] = str(version)
    root = Dict(pairs=[("metadata", metadata)])
    for name, shape, dtype, offset in table:
        _once(name, names, source, ledger)
        root.pairs.append((name, _tensor(name, shape, dtype, begin + offset, source, ledger)))
    _covered(root, header.at, alignment, source, ledger)
    return root


def _once(name: str, known: set[str], source: Source, ledger: Ledger) -> None:
    if name in known:
        ledger.trick(f"`{name}` comes twice in the header", source.path)
    known.add(name)


class _Header:
    """Reads from the front, a megabyte at a time."""

    def __init__(self, source: Source, ledger: Ledger) -> None:
        self.source, self.ledger, self.at = source, ledger, 0
        self._piece, self._start = b"", 0

    def take(self, count: int) -> bytes:
        """Raises Broken where the file ends before."""
        if count > self.source.size - self.at:
            raise Broken(CUT_OFF)
        if not self._start <= self.at <= self.at + count <= self._start + len(self._piece):
            self._start = self.at
            self._piece = self.source.whole(self.at, max(count, PIECE))
        begin = self.at - self._start
        self.at += count
        return self._piece[begin : begin + count]

    def number(self, layout: str) -> Any:
        return struct.unpack("<" + layout, self.take(struct.calcsize("<" + layout)))[0]

    def text(self) -> str:
        size = self.number("Q")
        self.ledger.spend(VALUE + size // 16)
        try:
            return self.take(size).decode("utf-8")
        except UnicodeDecodeError:
            self.ledger.trick("a text of the header is not UTF-8", self.source.path)
            return ""

    def value(self, kind: int, depth: int = 0) -> Any:
        self.ledger.spend(VALUE)
        if kind in NUMBERS:
            return self.number(NUMBERS[kind])
        if kind == TEXT:
            return self.text()
        if kind != LIST or depth > 2:
            raise Broken("a value of a type that GGUF has not")
        return self._list(depth)

    def _list(self, depth: int) -> list[Any]:
        kind, count = self.number("I"), self.number("Q")
        if kind not in NUMBERS:
            return [self.value(kind, depth + 1) for _ in range(count)]
        layout = f"<{count}{NUMBERS[kind]}"
        if count > self.source.size - self.at:
            raise Broken(CUT_OFF)
        self.ledger.spend(count)
        return list(struct.unpack(layout, self.take(struct.calcsize(layout))))

    def tensor(self) -> tuple[str, tuple[int, ...], str, int]:
        """Name, shape, dtype, and place among the tensors."""
        self.ledger.spend(TENSOR)
        name, dimensions = self.text(), self.number("I")
        if dimensions > MOST_DIMENSIONS:
            raise Broken(f"a tensor of {dimensions} dimensions")
        shape = tuple(self.number("Q") for _ in range(dimensions))[::-1]
        if any(size >= 1 << 48 for size in shape):
            raise Broken("a shape that no tensor has")
        number, offset = self.number("I"), self.number("Q")
        return name, shape, TYPES.get(number, f"type {number}"), offset


def _tensor(
    name: str, shape: tuple[int, ...], dtype: str, start: int, source: Source, ledger: Ledger
) -> Tensor:
    made = Tensor(dtype, shape, steps(shape), 0, Storage(name, dtype, 0))
    if dtype.startswith("type "):
        ledger.trick(f"`{name}` has the {dtype}, which keng does not know", source.path)
        return made
    size = bytes_of(made.numel, dtype)
    there = max(0, min(size, source.size - start))
    made.storage.nbytes = size
    source.put(made.storage, start, there)
    if there < size:
        ledger.broken(
            f"`{name}` lacks {size - there} of its bytes: the file was cut off", source.path
        )
    return made


def _covered(root: Dict, end: int, alignment: int, source: Source, ledger: Ledger) -> None:
    """Tensors follow each other, with nothing but zeros up to the next multiple of the alignment."""
    places = [t.storage.place for _, t in root.pairs[1:]]
    spans = sorted((p.start - source.base, p.nbytes) for p in places if p is not None)
    for start, count in [*spans, (source.size, 0)]:
        gap = start - end
        if not 0 <= gap < alignment or source.read(end, gap).strip(b"\0"):
            ledger.trick(
                f"{abs(gap)} bytes at byte {end} belong to no tensor, or to two", source.path
            )
        else:
            ledger.claim("padding", gap)
        ledger.claim("tensors", count)
        end = max(end, start + count)
