"""Hostile arrays: headers of NumPy that are dictionaries, and joblib's bytes between opcodes."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Iterator

from containers import COMMAND, Hostile, harm, npy, zipped

REST = b"'fortran_order': False, 'shape': (), "
WRAPPER = b"\x80\x02cjoblib.numpy_pickle\nNumpyArrayWrapper\n)\x81"
SHORT = b"cos\nsystem\nU%c%s\x85R" % (len(COMMAND), COMMAND.encode())
BYTES = (
    b"cnumpy\ndtype\n(X\2\0\0\0%s\x89\x88tR(K\3X\1\0\0\0|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb"
)


def files() -> Iterator[Hostile]:
    for name, header in {
        "twice": b"{'descr': '<f8', " + REST + b"'descr': '|O'}",
        "escaped": b"{'descr': '<f8', " + REST + b"'de\\x73cr': '|O'}",
        "joined": b"{'descr': '<f8', " + REST + b"'des' 'cr': '|O'}",
        "unicode": b"{'descr': '<f8', " + REST + b"u'descr': '|O'}",
        "double-quotes": b"{'descr': '<f8', " + REST + b'"descr": "|O"}',
        "escaped-first": b"{'de\\x73cr': '|O', " + REST + b"}",
        "records": b"{'descr': [('a', '<f8')], " + REST + b"'de\\x73cr': [('a', '|O')]}",
        "comment": b"{'descr': '<f8', # '\n" + REST + b"'de\\x73cr': '|O'}",
    }.items():
        yield _npz(name, npy(header, harm()), "issue 34: a key twice in the header of NumPy")
    plainly = b"{'descr': '|O', 'fortran_order': False, 'shape': (), }"
    yield _npz("version-2", npy(plainly, harm(), (2, 0)), "NumPy: version 2.0")
    yield _npz("version-3", npy(plainly, harm(), (3, 0)), "NumPy: version 3.0")
    yield from _alone(plainly)
    yield from _joblib()


def _alone(objects: bytes) -> Iterator[Hostile]:
    """A file of NumPy by itself, and files that joblib unpacks first."""
    twice = b"{'descr': '<f8', " + REST + b"'de\\x73cr': '|O'}"
    for name, header in {"objects": objects, "twice": twice}.items():
        yield Hostile(f"npy-{name}.npy", npy(header, harm()), "arrays", "numpy", "a .npy file")
    for name, pack in {
        "gz": gzip.compress,
        "z": zlib.compress,
        "bz2": bz2.compress,
        "xz": lzma.compress,
    }.items():
        data = pack(harm())
        yield Hostile(f"joblib-packed.{name}", data, "arrays", "joblib", "a pickle that is packed")
    two = gzip.compress(b"\x80\x02N.") + gzip.compress(harm())
    yield Hostile("joblib-two.gz", two, "arrays", "", "gzip of two members")


def _joblib_of(alignment: bytes, code: bytes, dtype: bytes = b"u1", size: int = 0) -> bytes:
    """An array of `size` bytes behind the opcode that gives the wrapper its attributes."""
    named = b"X\5\0\0\0shapeK%c\x85" % size + b"X\5\0\0\0dtype" + BYTES % dtype
    named += b"X\5\0\0\0orderX\1\0\0\0CX\12\0\0\0allow_mmap\x88X\10\0\0\0subclass"
    named += b"cnumpy\nndarray\nX\33\0\0\0numpy_array_alignment_bytes" + alignment
    return WRAPPER + b"}(" + named + b"ub" + code


def _joblib() -> Iterator[Hostile]:
    """joblib reads a byte, and as many as it says, where the alignment is not None."""
    act = SHORT + b"."
    hidden = b"." + act.ljust(46, b"0") + b"x" + b"."
    for name, alignment in {
        "none": b"N",
        "zero": b"K\0",
        "false": b"\x89",
        "text": b"X\1\0\0\0x",
    }.items():
        # joblib reads the array `.` and then the act; another reader skips 46 bytes first
        data = _joblib_of(alignment, hidden, size=1)
        source = "issue 34: joblib's alignment of None"
        yield _wrapped(f"alignment-{name}", data, source, name == "none")
    padded = _joblib_of(b"K\x10", bytes((len(act),)) + act + b".")
    yield _wrapped("padding", padded, "joblib: the bytes of the padding", False)
    forged = BYTES.replace(b"J\xff\xff\xff\xffJ", b"K%cJ")
    size = len(act) + 1
    state = forged % (b"u1", size)
    named = b"X\5\0\0\0shapeK\1\x85X\5\0\0\0dtype" + state
    named += b"X\5\0\0\0orderX\1\0\0\0CX\12\0\0\0allow_mmap\x88X\10\0\0\0subclasscnumpy\nndarray\n"
    data = WRAPPER + b"}(" + named + b"ub" + b"0" + act + b"N."
    yield _wrapped("itemsize", data, "an itemsize that the dtype has not", True)
    items = WRAPPER + b"}(X\5\0\0\0shapeK%c\x85" % size + b"X\5\0\0\0shapeK\1\x85X\5\0\0\0dtype"
    data = items + BYTES % b"u1" + named[named.index(b"X\5\0\0\0order") :] + b"ub0" + act
    yield _wrapped("shape-twice", data, "attributes given twice", True)
    rebuilt = _joblib_of(b"N", b"0N." + act, size=3)  # `0N.` is the array, or ends the pickle
    new = b"cjoblib.numpy_pickle\nNumpyArrayWrapper\n)\x81"
    maker = b"ccopyreg\n_reconstructor\n(cjoblib.numpy_pickle\nNumpyArrayWrapper\ncbuiltins\nobject\nNtR"
    rebuilt = rebuilt.replace(b"\x80\x02" + new, b"\x80\x03" + maker)
    yield _wrapped("rebuilt", rebuilt, "a wrapper that another function makes", True)
    renamed = _joblib_of(b"N", act).replace(
        b"joblib.numpy_pickle\n", b"sklearn.externals.joblib.numpy_pickle\n"
    )
    yield _wrapped("old-wrapper", renamed, "scikit-learn's old wrapper", False)


def _wrapped(name: str, data: bytes, source: str, acts: bool) -> Hostile:
    return Hostile(f"joblib-{name}.joblib", data, "arrays", "joblib" if acts else "", source)


def _npz(name: str, member: bytes, source: str) -> Hostile:
    return Hostile(f"npz-{name}.npz", zipped([("x.npy", member)]), "arrays", "numpy", source)
