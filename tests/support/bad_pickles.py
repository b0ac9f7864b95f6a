"""Bad pickles with whole files in them, as `pickle.dump` has tensors, and with arrays of NumPy; what
bad_files.py is for all others."""

from __future__ import annotations

import pickle
import struct
from collections.abc import Iterator

import torch

from bad_files import JOBLIB, MARKER, Act, Bad, harm, legacy, plain, saved

LOADER = b"ctorch.storage\n_load_from_bytes\n"


def loading(data: bytes) -> bytes:
    """Opcodes that load a file from its bytes."""
    return LOADER + b"B" + struct.pack("<I", len(data)) + data + b"\x85R"


def nested(depth: int) -> bytes:
    data = legacy({})
    for _ in range(depth):
        data = legacy(Act(torch.storage._load_from_bytes, data))
    return data


def an_array(count: int, shape: bytes = b"K\x02\x85", kind: bytes = b"f8") -> bytes:
    dtype = b"cnumpy\ndtype\n(X\2\0\0\0" + kind + b"\x89\x88tR(K\3X\1\0\0\0<NNNJ%sJ%sK\0tb"
    made = b"cnumpy.core.multiarray\n_reconstruct\n(cnumpy\nndarray\nK\0\x85C\1btR"
    return (
        made
        + b"(K\1"
        + shape
        + dtype % (b"\xff" * 4, b"\xff" * 4)
        + b"\x89C%c" % count
        + bytes(count)
        + b"tb"
    )


def joblib_and_pickle() -> bytes:
    """joblib takes for an array what Python's machine carries out."""
    act = plain(harm())[2:]
    named = b"X\5\0\0\0shape" + b"K%c\x85" % len(act) + b"X\5\0\0\0dtype"
    dtype = an_array(0, kind=b"u1")
    dtype = dtype[dtype.index(b"cnumpy\ndtype") : dtype.index(b"tb") + 2]
    return JOBLIB + b"}(" + named + dtype + b"ub" + act + b"."


def every() -> Iterator[Bad]:
    start, says = b"\x80\x03", f"system('touch {MARKER}')"
    for name, data in (
        ("legacy", legacy(harm())),
        ("zip", saved(harm())),
        ("pickle", plain(harm())),
    ):
        yield Bad(f"act-within-{name}.pkl", start + loading(data) + b".", "DANGEROUS", says)
    old = pickle.dumps(Act(torch.storage._load_from_bytes, legacy(harm())), 2)
    yield Bad("act-within-protocol-2.pkl", old, "DANGEROUS", says)
    long = legacy({"act": harm(), "x": "x" * 5000})
    yield Bad("act-within-long.pkl", start + loading(long) + b".", "DANGEROUS", says)
    beside = start + LOADER + b"cmypkg\nmade\n)R\x85R."
    yield Bad("loads-what-another-makes.pkl", beside, "DANGEROUS", "_load_from_bytes(mypkg.made")
    handed = b"ctorch._tensor\n_rebuild_from_type_v2\n(" + LOADER + b"ctorch\nTensor\nC\1x\x85Nt"
    yield Bad("loads-by-another.pkl", start + handed + b"R0N.", "DANGEROUS", "_load_from_bytes")
    listed = b"cmypkg\neach\n(]" + LOADER + b"atR."
    yield Bad("loads-in-a-list.pkl", start + listed, "DANGEROUS", "_load_from_bytes")
    keyed = LOADER + b"q\0" + b"".join(b"cmypkg\nf\n)R0" for _ in range(100))
    yield Bad(
        "loads-late.pkl", start + keyed + b"h\0N\x85R.", "DANGEROUS", "_load_from_bytes(None)"
    )
    yield Bad(
        "files-within-files.pkl", start + loading(nested(9)) + b".", "BROKEN", "within a file"
    )
    tiny = legacy(torch.UntypedStorage(8))
    again = (
        start
        + LOADER
        + b"q\0B"
        + struct.pack("<I", len(tiny))
        + tiny
        + b"\x85q\1"
        + b"h\0h\1R0" * 300_000
    )
    yield Bad("files-again.pkl", again + b"N.", "BROKEN", "more work")
    large = legacy(torch.UntypedStorage(800_000))
    text = pickle.dumps(large, 2)[2:-1]  # text, and a call that encodes it
    again = start + LOADER + b"q\xf0" + text + b"\x85q\1" + b"h\xf0h\1R0" * 3000 + b"N."
    yield Bad("copies-within.pkl", again, "BROKEN", "unpacks to more")
    yield Bad("array-short.pkl", start + an_array(15) + b".", "BROKEN", "as its shape says")
    yield Bad(
        "array-shape.pkl",
        start + an_array(16, b"J\xff\xff\xff\xff\x85") + b".",
        "BROKEN",
        "a shape",
    )
    yield Bad(
        "array-bytes.pkl", start + an_array(16, kind=b"O8") + b".", "BROKEN", "of objects without"
    )
    yield Bad(
        "array-twice.pkl", start + an_array(16) + b"Nb.", "BROKEN", "the attributes of an array"
    )
    yield Bad("act-joblib.pkl", joblib_and_pickle(), "DANGEROUS", says)
