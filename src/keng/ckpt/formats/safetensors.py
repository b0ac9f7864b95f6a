"""safetensors: eight bytes with the length of a JSON header, the header, the tensors' bytes.

Raises ledger.Broken where there is no header to read; what is wrong with a tensor is a trouble.
Format: https://github.com/huggingface/safetensors#format
"""

from __future__ import annotations

import json
import math
from collections import Counter

from keng.ckpt.byte_source import Source
from keng.ckpt.nodes import SIZES, Dict, Storage, Tensor, steps
from keng.ckpt.pickle.budget import Broken, Ledger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NAMES = """
F64 float64 F32 float32 F16 float16 BF16 bfloat16 I64 int64 I32 int32 I16 int16 I8 int8 U64 uint64
U32 uint32 U16 uint16 U8 uint8 BOOL bool F8_E4M3 float8_e4m3fn F8_E5M2 float8_e5m2
F8_E8M0 float8_e8m0fnu F8_E4M3FNUZ float8_e4m3fnuz F8_E5M2FNUZ float8_e5m2fnuz C64 complex64
F4 float4_e2m1fn_x2
""".split()
DTYPES = dict(zip(NAMES[::2], NAMES[1::2], strict=True))
"""torch's dtypes by the names that the format has for them."""
PAIRED = "float4_e2m1fn_x2"
"""Two numbers are one element for torch, and two for the format."""
LONGEST_HEADER = 100_000_000
"""Bytes; the same limit as the library's."""
FIELDS = {"dtype", "shape", "data_offsets"}
ENTRY, PAIR, LIST = 50, 5, 2
"""Units of work (`ledger.WORK`)."""


def read(source: Source, ledger: Ledger) -> Dict:
    size = int.from_bytes(source.read(0, 8), "little")
    if size > LONGEST_HEADER:
        raise Broken(f"a header of {size} bytes, of which no writer makes more than 100 MB")
    ledger.spend(size)
    text = source.read(8, size)
    if len(text) < size:
        raise Broken(f"the header has {len(text)} of {size} bytes: the file was cut off")
    ledger.spend(LIST * text.count(b"["))
    ledger.claim("headers", 8 + size)
    root = Dict()
    for name, value in _header(text, ledger, source.path).pairs:
        if name == "__metadata__":
            _metadata(value, ledger, source.path)
        elif (tensor := _tensor(name, value, source, 8 + size, ledger)) is not None:
            root.pairs.append((name, tensor))
    _covered(root, source, 8 + size, ledger)
    return root


def _header(text: bytes, ledger: Ledger, file: str) -> Dict:
    def remember(pairs: list[tuple[str, Any]]) -> Dict:
        ledger.spend(ENTRY + PAIR * len(pairs))
        if len(pairs) > len({name for name, _ in pairs}):
            twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
            ledger.trick(f"two entries of the header are named {twice[:80]!r}", file)
        return Dict(pairs=list(pairs))

    if not text.rstrip(b" ").endswith(b"}"):
        ledger.trick("the header does not end with a JSON object", file)
    try:
        # json.loads would guess UTF-16 and UTF-32 of bytes
        header = json.loads(str(text, "utf-8"), object_pairs_hook=remember)
    except (ValueError, RecursionError):
        raise Broken("the header is no JSON in UTF-8") from None
    if not isinstance(header, Dict):
        raise Broken("the header is no JSON object")
    return header


def _metadata(value: Any, ledger: Ledger, file: str) -> None:
    if isinstance(value, Dict):
        facts = {k: v for k, v in value.pairs if isinstance(k, str) and isinstance(v, str)}
        ledger.facts.update({key: text for key, text in facts.items() if key != "byteorder"})
        ledger.metadata.update(facts)
    if not isinstance(value, Dict) or any(not isinstance(text, str) for _, text in value.pairs):
        ledger.trick("the metadata is not made of texts alone", file)


def _tensor(name: str, value: Any, source: Source, begin: int, ledger: Ledger) -> Tensor | None:
    entry = value.names if isinstance(value, Dict) else {}
    if entry.keys() - FIELDS:
        ledger.trick(f"{name!r} has more than dtype, shape and offsets", source.path)
    dtype = DTYPES.get(str(entry.get("dtype")), str(entry.get("dtype")).lower())
    shape, offsets = _numbers(entry.get("shape")), _numbers(entry.get("data_offsets"))
    if shape is None or offsets is None or len(offsets) != 2 or offsets[0] > offsets[1]:
        ledger.spend(ENTRY)
        ledger.broken(f"{name!r} has no shape or no offsets", source.path)
        return None
    if dtype == PAIRED:
        shape = _halved(shape)
    start, stop = offsets
    storage = Storage(name, dtype, stop - start)
    source.put(storage, begin + start, max(0, min(stop - start, source.size - begin - start)))
    if dtype in SIZES:
        size = math.prod(shape) * SIZES[dtype]
        if size != stop - start:
            says = f"{name!r} of shape {list(shape)} takes {size} bytes and has {stop - start}"
            ledger.broken(says, source.path)
    else:
        ledger.note(f"{name!r} has the dtype {entry.get('dtype')!r}, which keng does not know")
    if begin + stop > source.size:
        missing = begin + stop - max(source.size, begin + start)
        ledger.broken(f"{name!r} lacks {missing} of its bytes: the file was cut off", source.path)
    return Tensor(dtype, shape, steps(shape), 0, storage)


def _halved(shape: tuple[int, ...]) -> tuple[int, ...]:
    return (*shape[:-1], -(-shape[-1] // 2)) if shape else shape


def doubled(shape: tuple[int, ...]) -> tuple[int, ...]:
    return (*shape[:-1], shape[-1] * 2)


def _numbers(value: Any) -> tuple[int, ...] | None:
    """None where the value is no list of sizes."""
    if not isinstance(value, list) or len(value) > 1000:
        return None
    if not all(type(number) is int and 0 <= number < 2**63 for number in value):
        return None
    return tuple(value)


def _covered(root: Dict, source: Source, begin: int, ledger: Ledger) -> None:
    """The format wants every byte after the header to belong to exactly one tensor, also where the file
    was cut off."""
    end, stop = source.base + begin, source.base + source.size
    storages = [
        (t.storage.place.start, t.storage.nbytes, n) for n, t in root.pairs if t.storage.place
    ]
    for start, count, name in sorted(storages):
        if start < end:
            ledger.trick(f"{name!r} lies over the tensor before it", source.path)
        elif start > end:
            ledger.trick(f"{start - end} bytes before {name!r} belong to no tensor", source.path)
        ledger.claim("tensors", min(start + count, stop) - max(start, end))
        end = max(end, start + count)
    if end < stop:
        ledger.trick(f"{stop - end} bytes after the last tensor belong to none", source.path)
