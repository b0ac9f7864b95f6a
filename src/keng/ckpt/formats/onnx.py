"""ONNX: a graph of operators and its weights, as protobuf. Loading it runs nothing but its operators, unless
these come from a library of their own. Weights may lie in other files.

Fields: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from keng.ckpt.byte_source import Source
from keng.ckpt.nodes import SIZES, Dict, Global, Place, Storage, Tensor, steps
from keng.ckpt.pickle.budget import Broken, Ledger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Field: TypeAlias = "tuple[int, Any]"
    """Its number, and an int, or where its bytes begin and end."""

DTYPES = {
    **dict(enumerate("float32 uint8 int8 uint16 int16 int32 int64 string bool float16".split(), 1)),
    **dict(enumerate("float64 uint32 uint64 complex64 complex128 bfloat16".split(), 11)),
    **dict(enumerate("float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz".split(), 17)),
    **dict(enumerate("uint4 int4 float4 float8_e8m0fnu".split(), 21)),
}
FIRST = b"\x08"
"""The version of the format, which every writer puts first."""
SECOND = b"\x12\x1a\x22\x28\x32\x3a\x42"
"""What may come next."""
MODEL = {
    1: "ir_version",
    2: "producer_name",
    3: "producer_version",
    4: "domain",
    5: "model_version",
    6: "doc_string",
}
GRAPH, OPSET, PROPERTIES, TRAINING, FUNCTIONS, CONFIGURATION = 7, 8, 14, 20, 25, 26
TRAINING_GRAPHS = (1, 2)
NODE, GRAPH_NAME, INITIALIZER, SPARSE, DOC, INPUT, OUTPUT, VALUE, ANNOTATION, GRAPH_PROPERTIES = (
    *(1, 2, 5, 15, 10, 11, 12, 13, 14, 16),
)
PLAIN_OF_GRAPH = {GRAPH_NAME, DOC, INPUT, OUTPUT, VALUE, ANNOTATION, GRAPH_PROPERTIES}
OP_TYPE, ATTRIBUTE, DOMAIN = 4, 5, 7
PLAIN_OF_NODE = {1, 2, 3, 6, 8, 9, 10}
ATTRIBUTE_TENSOR, ATTRIBUTE_GRAPH, ATTRIBUTE_TENSORS, ATTRIBUTE_GRAPHS = 5, 6, 10, 11
ATTRIBUTE_SPARSE = {22, 23}
DIMS, DATA_TYPE, NAME, RAW, EXTERNAL, LOCATION = 1, 2, 8, 9, 13, 14
TYPED = {4: "float32", 10: "float64"}
"""Fields of a tensor whose numbers lie as in memory."""
NUMBERS = {5, 7, 11}
"""Fields of a tensor whose numbers are varints."""
STANDARD = {
    "",
    "ai.onnx",
    "ai.onnx.ml",
    "ai.onnx.training",
    "ai.onnx.preview.training",
    "com.microsoft",
}
"""Domains whose operators are those of ONNX and of ONNX Runtime."""
PYTHON = {"PythonOp", "PythonOpGrad"}
"""Operators of ONNX Runtime that call Python."""
DEEPEST = 20
FIELD = 3
"""Units of work (`ledger.WORK`)."""
DAMAGED = "the protobuf of the ONNX file is damaged"


def looks_like_onnx(source: Source) -> bool:
    """No pickle begins with such a byte."""
    head = source.read(0, 4)
    return head[:1] == FIRST and len(head) == 4 and 0 < head[1] < 32 and head[2:3] in SECOND


def read(source: Source, ledger: Ledger) -> Dict:
    """The metadata, and the weights of its graph by name. Raises Broken."""
    with source.mapped() as data:
        model = _Model(data, source, ledger)
        root = model.read()
    ledger.claim("tensors", model.tensors)
    ledger.claim("headers", source.size - model.tensors)
    return root


class _Model:
    def __init__(self, data: Any, source: Source, ledger: Ledger) -> None:
        self.data, self.source, self.ledger = data, source, ledger
        self.root = Dict()
        self.operators: dict[str, int] = {}
        self.functions: set[str] = set()
        self.tensors = 0

    def read(self) -> Dict:
        facts, opsets, graphs = Dict(), Dict(), 0
        start, stop = self.source.base, self.source.base + self.source.size
        self.root.pairs.append(("model", facts))
        found = list(self._fields(start, stop))
        for number, value in found:
            if number == FUNCTIONS:
                self.functions.add(self._text_of(value, 10))
        for number, value in found:
            if number in MODEL:
                facts.pairs.append(
                    (MODEL[number], value if isinstance(value, int) else self._text(value))
                )
            elif number == OPSET:
                opsets.pairs.append(
                    (self._text_of(value, 1) or "ai.onnx", self._number_of(value, 2))
                )
            elif number == PROPERTIES:
                facts.pairs.append((self._text_of(value, 1), self._text_of(value, 2)))
            elif number == GRAPH:
                graphs += 1
                self._graph(value, 0)
            elif number in (TRAINING, FUNCTIONS):
                self._beside(number, value)
            elif number != CONFIGURATION:
                self._odd(f"field {number} of a model")
        if graphs != 1:
            self._odd(f"{graphs} graphs")
        facts.pairs += [("opset", opsets), ("operators", Dict(pairs=list(self.operators.items())))]
        return self.root

    def _beside(self, number: int, value: Any) -> None:
        for inner, each in self._fields(*self._span(value)):
            if number == FUNCTIONS and inner == 7:
                self._node(each, 0)
            elif number == TRAINING and inner in TRAINING_GRAPHS:
                self._graph(each, 0)

    def _graph(self, value: Any, depth: int) -> None:
        if depth > DEEPEST:
            raise Broken("graphs within graphs, too deep to be read")
        for number, each in self._fields(*self._span(value)):
            if number == NODE:
                self._node(each, depth)
            elif number == INITIALIZER:
                self._tensor(each)
            elif number == SPARSE:
                self._sparse(each)
            elif number not in PLAIN_OF_GRAPH:
                self._odd(f"field {number} of a graph")

    def _node(self, value: Any, depth: int) -> None:
        name = domain = ""
        for number, each in self._fields(*self._span(value)):
            if number == OP_TYPE:
                name = self._text(each)
            elif number == DOMAIN:
                domain = self._text(each)
            elif number == ATTRIBUTE:
                self._attribute(each, depth)
            elif number not in PLAIN_OF_NODE:
                self._odd(f"field {number} of an operator")
        full = f"{domain}.{name}" if domain else name
        self.operators[full] = self.operators.get(full, 0) + 1
        if (domain not in STANDARD and domain not in self.functions) or name in PYTHON:
            self.ledger.imported(Global(domain, name))

    def _attribute(self, value: Any, depth: int) -> None:
        for number, each in self._fields(*self._span(value)):
            if number in (ATTRIBUTE_TENSOR, ATTRIBUTE_TENSORS):
                self._tensor(each, listed=False)
            elif number in (ATTRIBUTE_GRAPH, ATTRIBUTE_GRAPHS):
                self._graph(each, depth + 1)
            elif number in ATTRIBUTE_SPARSE:
                self._sparse(each)

    def _sparse(self, value: Any) -> None:
        """Two tensors: values and indices."""
        for number, each in self._fields(*self._span(value)):
            if number in (1, 2):
                self._tensor(each)

    def _tensor(self, value: Any, listed: bool = True) -> None:
        shape: list[int] = []
        name, dtype, parts, external = "", "?", list[bytes](), dict[str, str]()
        storage = Storage("", "", 0)
        for number, each in self._fields(*self._span(value)):
            if number == DIMS:
                shape += [each] if isinstance(each, int) else self._varints(each)
            elif number == DATA_TYPE:
                dtype = DTYPES.get(each, "?")
            elif number == NAME:
                name = self._text(each)
            elif number == RAW or (number in TYPED and not isinstance(each, int)):
                self._put(storage, each)
            elif number in NUMBERS:
                parts.append(self._encoded(each, dtype))
            elif number == EXTERNAL:
                external[self._text_of(each, 1)] = self._text_of(each, 2)
        storage.key, storage.dtype = name, dtype
        made = Tensor(dtype, tuple(shape), steps(tuple(shape)), 0, storage)
        if any(size >= 1 << 48 for size in shape):
            raise Broken("a shape that no tensor has")
        storage.nbytes = (
            made.nbytes if dtype in SIZES else storage.place.nbytes if storage.place else 0
        )
        if external:
            self._outside(storage, external)
        if parts and storage.place is None and storage.inline is None:
            storage.inline = b"".join(parts)
        if listed:
            self.root.pairs.append((name, made))

    def _put(self, storage: Storage, value: Any) -> None:
        start, stop = self._span(value)
        self.tensors += stop - start
        self.source.put(storage, start - self.source.base, stop - start)

    def _encoded(self, value: Any, dtype: str) -> bytes:
        """Varints as they would lie in memory."""
        numbers = [value] if isinstance(value, int) else self._varints(value)
        size = SIZES.get(dtype, 1)
        self.ledger.charge(len(numbers) * size)
        return b"".join((n & (1 << 8 * size) - 1).to_bytes(size, "little") for n in numbers)

    def _outside(self, storage: Storage, external: dict[str, str]) -> None:
        """Weights that lie in another file, which is to be in the folder of this one."""
        location = external.get("location", "")
        parts = location.replace("\\", "/").split("/")
        if (
            not location
            or location.startswith(("/", "\\", "~"))
            or ".." in parts
            or ":" in location
        ):
            says = f"its weights are to be read from {location[:200]!r}, outside of its folder"
            self.ledger.trick(says, self.source.path)
            return
        path = os.path.join(os.path.dirname(self.source.path), location)
        offset, length = (external.get(key, "") for key in ("offset", "length"))
        start = int(offset) if offset.isdecimal() and len(offset) < 19 else 0
        size = os.path.getsize(path) if os.path.isfile(path) and not os.path.islink(path) else None
        if size is None:
            says = f"{location[:200]}, which holds its weights, is not there, or no plain file"
            self.ledger.broken(says, self.source.path)
            return
        count = int(length) if length.isdecimal() and len(length) < 19 else storage.nbytes
        there = max(0, min(count, size - start))
        if there < storage.nbytes:
            self.ledger.broken(
                f"{location[:200]} ends before `{storage.key}` does", self.source.path
            )
        storage.place = Place(path, start, there)

    # Fields of protobuf

    def _fields(self, start: int, stop: int) -> Iterator[Field]:
        """Raises Broken where they do not end where they should."""
        at = start
        while at < stop:
            self.ledger.spend(FIELD)
            key, at = self._varint(at, stop)
            number, wire = key >> 3, key & 7
            if wire == 0:
                value, at = self._varint(at, stop)
                yield number, value
                continue
            if wire == 2:
                size, at = self._varint(at, stop)
            else:
                size = {1: 8, 5: 4}.get(wire, -1)
            if size < 0 or at + size > stop:
                raise Broken(DAMAGED)
            yield number, (at, at + size)
            at += size

    def _varint(self, at: int, stop: int) -> tuple[int, int]:
        value = shift = 0
        while at < stop and shift < 70:
            byte = self.data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value, at
            shift += 7
        raise Broken(DAMAGED)

    def _varints(self, value: Any) -> list[int]:
        start, stop = self._span(value)
        self.ledger.spend((stop - start) * FIELD)
        found = []
        while start < stop:
            number, start = self._varint(start, stop)
            found.append(number)
        return found

    def _span(self, value: Any) -> tuple[int, int]:
        if isinstance(value, int):
            raise Broken(DAMAGED)
        begin, end = value
        return begin, end

    def _text(self, value: Any) -> str:
        start, stop = self._span(value)
        if stop - start > 1 << 20:
            return ""
        return bytes(self.data[start:stop]).decode("utf-8", "replace")

    def _text_of(self, value: Any, wanted: int) -> str:
        """The last of a field, as protobuf has it."""
        found = [each for number, each in self._fields(*self._span(value)) if number == wanted]
        return self._text(found[-1]) if found else ""

    def _number_of(self, value: Any, wanted: int) -> int:
        found = [each for number, each in self._fields(*self._span(value)) if number == wanted]
        return found[-1] if found and isinstance(found[-1], int) else 0

    def _odd(self, what: str) -> None:
        self.ledger.trick(f"{what}, which ONNX has not", self.source.path)
