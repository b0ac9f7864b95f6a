"""Checkpoints as nobody should meet them: damaged, mistaken for others, and made to deceive or to do
harm. The harm is to touch a file named by `MARKER`. Each is (name of the file, its bytes, the verdict,
a word of what is said of it)."""

from __future__ import annotations

import gzip
import io
import pickle
import struct
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import torch

MARKER = "keng-was-here"


class Bad(NamedTuple):
    file: str
    data: bytes
    verdict: str
    says: str


class Act:
    """Pickles as a call of a function."""

    def __init__(self, function: Any, *args: Any) -> None:
        self.call = function, args

    def __reduce__(self) -> Any:
        return self.call


def harm() -> Act:
    import os

    return Act(os.system, f"touch {MARKER}")


def plain(value: Any) -> bytes:
    return pickle.dumps(value, 2)


def saved(value: Any, **options: Any) -> bytes:
    out = io.BytesIO()
    torch.save(value, out, **options)
    return out.getvalue()


def weights() -> dict[str, torch.Tensor]:
    torch.manual_seed(0)
    return {f"layer{n}.weight": torch.randn(16, 16) for n in range(6)}


def good() -> bytes:
    return saved(weights())


def legacy(value: Any) -> bytes:
    return saved(value, _use_new_zipfile_serialization=False)


def zipped(entries: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return out.getvalue()


def torch_zip(data_pkl: bytes, method: int = zipfile.ZIP_STORED, **more: bytes) -> bytes:
    return zipped({"a/data.pkl": data_pkl, **FACTS, **more}, method)


def repacked(data: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
    """A zip with its entries changed."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return zipped({name: change(name, archive.read(name)) for name in archive.namelist()})


def in_central(data: bytes, name: bytes, at: int, value: bytes) -> bytes:
    """With bytes changed in the directory's entry of a name."""
    start = data.rindex(b"PK\x01\x02", 0, data.rindex(name))
    return data[: start + at] + value + data[start + at + len(value) :]


def renamed_in_directory(data: bytes) -> bytes:
    at = data.rindex(b"data.pkl")
    return data[:at] + b"fake.pkl" + data[at + 8 :]


def twice() -> bytes:
    import warnings

    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        archive.writestr("a/data.pkl", plain({}))
        archive.writestr("a/data.pkl", plain({"x": 1}))
    return out.getvalue()


def hidden_entry() -> bytes:
    """An entry whose line in the directory is taken out."""
    data = zipped({"a/data.pkl": plain({}), "a/hidden.pkl": plain(harm()), "a/version": b"3"})
    start = data.index(b"PK\x01\x02")
    second = data.index(b"PK\x01\x02", start + 4)
    third = data.index(b"PK\x01\x02", second + 4)
    end = data.index(b"PK\x05\x06")
    fields = list(struct.unpack("<4s4H2IH", data[end:]))
    size = fields[5] - (third - second)
    tail = struct.pack("<4s4H2IH", fields[0], 0, 0, 2, 2, size, fields[6], 0)
    return data[:second] + data[third:end] + tail


def tar_2016(value: bytes | None = None) -> bytes:
    """As torch 0.1.6 wrote {"x": tensor}."""
    storage = b"".join(
        [
            pickle.dumps(1, 2),
            b"\x80\x02(K\x0bX\x03\x00\x00\x00cpuctorch\nFloatStorage\nt.",
            struct.pack("<q4f", 4, 1, 2, 3, 4),
            pickle.dumps([], 2),
        ]
    )
    tensor = b"".join(
        [
            pickle.dumps(1, 2),
            b"\x80\x02(K\x16K\x0bctorch\nFloatTensor\nt.",
            struct.pack("<2i2q2qq", 2, 0, 2, 2, 2, 1, 0),
        ]
    )
    value = value or b"\x80\x02}X\x01\x00\x00\x00xX\x02\x00\x00\x0022Qs."
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, data in {"storages": storage, "tensors": tensor, "pickle": value}.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return out.getvalue()


def frames_that_end_within() -> bytes:
    """Python, where it reads from a stream, drops what is left of a frame that is reached out of: of "10"
    and "11" it keeps "0" and "1", under which other names stand."""
    names = {10: b"collections", 11: b"OrderedDict", 0: b"os", 1: b"system"}
    put = b"".join(
        b"\x8c" + bytes((len(name),)) + name + b"p%d\n0" % number for number, name in names.items()
    )
    frame = b"\x95\x02" + bytes(7)
    got = frame + b"g1" + b"0\n" + frame + b"g1" + b"1\n"
    text = b"touch " + MARKER.encode()
    return b"\x80\x04" + put + got + b"\x93\x8c" + bytes((len(text),)) + text + b"\x85R."


def npz(header: bytes, body: bytes, version: int = 1) -> bytes:
    """One array, with a header in the words of NumPy or in others that it reads as well."""
    text = header.ljust(117) + b"\n"
    size = struct.pack("<H" if version == 1 else "<I", len(text))
    return zipped({"x.npy": b"\x93NUMPY" + bytes((version, 0)) + size + text + body})


def tar_renamed(value: bytes) -> bytes:
    """An entry that a header before it gives the name of another, which it takes the place of."""
    out = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(tar_2016())) as good,
        tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for member in good.getmembers():
            tar.addfile(member, good.extractfile(member))
        info = tarfile.TarInfo("notes")
        info.size, info.pax_headers = len(value), {"path": "pickle"}
        tar.addfile(info, io.BytesIO(value))
    return out.getvalue()


def safetensors(header: bytes, body: bytes = b"", length: int | None = None) -> bytes:
    size = len(header) if length is None else length
    return struct.pack("<Q", size) + header + body


def header_and_pickle() -> bytes:
    """A safetensors file whose length is the opcode of a text, which its header goes on: after it, within
    the name of a tensor, names are imported and called, in no byte that UTF-8 and JSON forbid."""
    length = b"U\x08" + bytes(6)
    module, name = b"U\x21" + b"m" * 33, b"U\x21" + b"n" * 33
    code = module + name + b"q\xc2\x93)R."
    header = b'{"' + code + b'":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}'
    return length + header.ljust(int.from_bytes(length, "little"))


def entry(start: int, stop: int, shape: str = "[4]") -> bytes:
    return f'{{"dtype":"F32","shape":{shape},"data_offsets":[{start},{stop}]}}'.encode()


def too_large() -> bytes:
    """A tensor of 10**12 numbers on a storage of 16 bytes."""
    return repacked(saved({"x": torch.ones(4)}), lambda n, d: _stretched(d) if "pkl" in n else d)


def _stretched(data: bytes) -> bytes:
    old = b"K\x00K\x04\x85"
    assert old in data
    return data.replace(old, b"K\x00\x8a\x06" + (10**12).to_bytes(6, "little") + b"\x85")


def laughs(rounds: int = 60) -> bytes:
    return b"\x80\x02]q\x00" + b"h\x00h\x00\x86q\x00" * rounds + b"."


def py2() -> bytes:
    """A str of Python 2 that is no ASCII, as of an author's name."""
    text = "Müller".encode("latin-1")
    return b"\x80\x02}U\x06authorU" + bytes([len(text)]) + text + b"s."


def namespace() -> bytes:
    import argparse

    import numpy

    return saved({"args": argparse.Namespace(lr=0.1), "best": numpy.float64(0.9)} | weights())


FACTS = {"a/byteorder": b"little", "a/version": b"3\n"}
USER_CLASS = (
    b"\x80\x02cmypkg.utils\nConfig\n)\x81}X\x02\x00\x00\x00lrG?\xb9\x99\x99\x99\x99\x99\x9asb."
)
MEMO_BOMB = b"]r\x00\x00\x00\x20."
FLAG = 8  # of the fields of a directory entry, by their place in it
METHOD = 10
CRC = 16
WHOLE = 24
DISK = 34
JOBLIB = b"\x80\x02cjoblib.numpy_pickle\nNumpyArrayWrapper\n)\x81"
HTML = b"<!DOCTYPE html><html><head><title>Google Drive - Virus scan warning</title></head></html>"
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"


def damaged() -> Iterator[Bad]:
    data, old = good(), legacy(weights())
    yield Bad("cut-end.pt", data[:-200], "BROKEN", "cut off")
    yield Bad("cut-half.pt", data[: len(data) // 2], "BROKEN", "cut off")
    yield Bad("cut-legacy.pth", old[:-200], "BROKEN", "cut off")
    yield Bad("cut-legacy-pickle.pth", old[:300], "BROKEN", "breaks off")
    yield Bad("empty.pt", b"", "BROKEN", "empty")
    yield Bad("zeros.pt", bytes(5000), "BROKEN", "zeros")
    yield Bad("pointer.pt", LFS, "BROKEN", "12345 bytes")
    yield Bad("page.pt", HTML, "BROKEN", "HTML page")
    yield Bad("error.pt", b'{"error": "Entry not found"}', "BROKEN", "JSON")
    yield Bad("packed.pt.gz", gzip.compress(data), "BROKEN", "gzip")
    yield Bad("keras.pt", b"\x89HDF\r\n\x1a\n" + bytes(100), "UNKNOWN", "HDF5")
    yield Bad("random.pt", bytes(range(60, 255)), "BROKEN", "nothing that keng knows")
    yield Bad("no-tensor.pt", zipped({"a/readme.txt": b"hi"}), "BROKEN", "no checkpoint")
    yield Bad("too-large.pt", too_large(), "BROKEN", "reaches to byte")
    lost = {"a/data.pkl": b"", "a/data/0": b""}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        kept = {n: archive.read(n) for n in archive.namelist() if not n.endswith("data/3")}
    yield Bad("storage-missing.pt", zipped(kept), "BROKEN", "storage 3 is missing")
    yield Bad("pickle-empty.pt", zipped(lost), "BROKEN", "no pickle")
    short = repacked(data, lambda name, d: d[:-8] if name.endswith("data/1") else d)
    yield Bad("storage-short.pt", short, "BROKEN", "1016 of 1024 bytes")
    yield Bad("memo-bomb.pt", MEMO_BOMB, "KNOWN", "")
    yield Bad("laughs.pt", laughs(), "KNOWN", "")
    yield Bad(
        "laughs-as-key.pt",
        laughs().replace(b"\x80\x02]", b"\x80\x02)")[:-1] + b"}h\x00Ns.",
        "KNOWN",
        "",
    )
    deep = b"\x80\x02" + b"]" * 200_000 + b"a" * 199_999 + b"."
    yield Bad("deep.pt", deep, "BROKEN", "nested deeper")
    yield Bad("digits.pt", b"I" + b"9" * 5_000_000 + b"\n.", "BROKEN", "nothing that keng")
    bomb = torch_zip(b"\x80\x02" + b"N0" * 50_000_000 + b"N.", zipfile.ZIP_DEFLATED)
    yield Bad("deflate-bomb.pt", bomb, "BROKEN", "unpacks to more than")
    yield Bad(
        "size-lies.pt", b"\x80\x04\x8d" + (2**60).to_bytes(8, "little") + b"x.", "BROKEN", "beyond"
    )


def enormous() -> Iterator[Bad]:
    """What a small file might make large, or slow."""
    start, end = b"\x80\x02", b"N."
    for name, piece, count in (("dicts", b"}", 900_000), ("memo", b"]\x94", 1_000_000)):
        yield Bad(f"many-{name}.pkl", start + piece * count + end, "BROKEN", "more work")
    yield Bad("many-pops.pkl", start + b"N0" * 3_500_000 + end, "BROKEN", "more work")
    names = b"".join(b"cm%d\nn\n0" % n for n in range(20_000))
    yield Bad("many-names.pkl", start + names + end, "BROKEN", "more than 10000 names")
    grown = b"ccollections\nOrderedDict\nq\x00}(" + b"K\x01K\x02" * 100_000 + b"uq\x01"
    copies = b"0h\x00h\x01\x85Rq\x02" * 3000
    yield Bad("copies.pkl", start + grown + copies + b".", "BROKEN", "unpacks to more")
    storage = b"((X\x07\0\0\0storagectorch\nFloatStorage\nX\x06\0\0\0%06dX\x03\0\0\0cpuK\x04tQ"
    missing = start + b"]" + b"".join(storage % n + b"0" for n in range(20_000)) + b"."
    yield Bad("many-missing.pt", torch_zip(missing), "BROKEN", "is missing")
    rows = b",".join(b'"t%d":' % n + entry(0, 0, "[0]") for n in range(60_000))
    late = b"{" + rows + b',"t59999":' + entry(0, 0, "[0]") + b"}"
    yield Bad("twice-late.safetensors", safetensors(late), "UNKNOWN", "named 't59999'")
    objects = b'{"a":[' + b"{}," * 3_000_000 + b"{}]}"
    yield Bad("objects.safetensors", safetensors(objects), "BROKEN", "more work")


def dangerous() -> Iterator[Bad]:
    evil = plain(harm())
    yield Bad("act.pt", saved(harm()), "DANGEROUS", f"system('touch {MARKER}')")
    yield Bad("act-legacy.pth", legacy(harm()), "DANGEROUS", f"system('touch {MARKER}')")
    yield Bad("act-plain.pkl", evil, "DANGEROUS", f"system('touch {MARKER}')")
    yield Bad("act-protocol0.bin", pickle.dumps(harm(), 0), "DANGEROUS", "system")
    yield Bad("act-then-broken.pt", torch_zip(evil[:-1] + b"R"), "DANGEROUS", "system")
    yield Bad("act-tar.pth.tar", tar_2016(evil), "DANGEROUS", "system")
    yield Bad("act-second.pkl", plain({}) + evil, "DANGEROUS", "bytes follow the pickle")
    yield Bad(
        "act-hidden-name.pt", torch_zip(plain({}), **{"a/x.dat": evil}), "DANGEROUS", "system"
    )
    yield Bad("act-compressed.pt", torch_zip(evil, zipfile.ZIP_DEFLATED), "DANGEROUS", "compressed")
    # torch finds an entry whatever the case of its name
    protocol_0 = b"cos\nsystem\n(S'touch " + MARKER.encode() + b"'\ntR."
    yield Bad(
        "act-case.pt",
        zipped({"a/DATA.PKL": protocol_0, "a/data.pkl": plain({}), **FACTS}),
        "DANGEROUS",
        "two entries",
    )
    yield Bad(
        "act-case-after.pt", torch_zip(plain({}), **{"a/DATA.PKL": evil}), "DANGEROUS", "DATA.PKL"
    )
    # torch.load reads data.pkl of the first folder, whatever else is there
    for n, name in enumerate(("a/archive_format", "a/serialized_exported_program.json")):
        yield Bad(f"act-export-{n}.pt", torch_zip(evil, **{name: b"{}"}), "DANGEROUS", "system")
    other = {"b/constants.pkl": plain({}), "b/data.pkl": plain({})}
    yield Bad("act-first-folder.pt", torch_zip(evil, **other), "DANGEROUS", "system")
    scripted = zipped({"a/constants.pkl": plain({}), "a/data.pkl": plain({}), "a/x.bin": evil})
    yield Bad("act-beside-script.pt", scripted, "DANGEROUS", "system")
    yield Bad("act-tar-renamed.pth.tar", tar_renamed(evil), "DANGEROUS", "not as torch writes")
    plainly = b"{'descr': '|O', 'fortran_order': False, 'shape': (), }"
    yield Bad("act.npz", npz(plainly, evil), "DANGEROUS", "system")
    yield Bad("act-2.npz", npz(plainly, evil, 2), "DANGEROUS", "system")
    turned = b"{'shape': (), 'descr': '|O', 'fortran_order': False}"
    yield Bad("act-turned.npz", npz(turned, evil), "DANGEROUS", "system")
    escaped = b"{'descr': '|\\x4f', 'fortran_order': False, 'shape': ()}"
    yield Bad("act-escaped.npz", npz(escaped, evil), "DANGEROUS", "system")
    word = b"{'descr': 'object', 'fortran_order': False, 'shape': ()}"
    yield Bad("act-word.npz", npz(word, evil), "DANGEROUS", "system")
    records = b"{'descr': [('a', '|O')], 'fortran_order': False, 'shape': ()}"
    yield Bad("act-records.npz", npz(records, evil), "DANGEROUS", "system")
    stack = b"\x80\x04\x8c\x06system\x94\x8c\x02os\x94h\x01h\x00\x93\x8c\x02ls\x85R."
    yield Bad("act-memo-order.pkl", stack, "DANGEROUS", "os.system('ls')")
    swapped = (
        b"\x80\x04\x8c\x05print\x94\x8c\x08builtins\x94\x8c\x04exec"
        + b"q\x00h\x01h\x00\x93\x8c\x01x\x85R."
    )
    yield Bad("act-memo-overwritten.pkl", swapped, "DANGEROUS", "builtins.exec")
    inst = b"(S'touch " + MARKER.encode() + b"'\nios\nsystem\n."
    yield Bad("act-inst.pkl", inst, "DANGEROUS", "os.system")
    obj = b"(cos\nsystem\nS'touch " + MARKER.encode() + b"'\no."
    yield Bad("act-obj.pkl", obj, "DANGEROUS", "os.system")
    dotted = b"\x80\x04\x8c\x0bcollections\x8c\x0f_sys.modules.gets\x93."
    yield Bad(
        "act-dotted.pkl",
        dotted.replace(b"\x0f_sys.modules.gets", b"\x10_sys.modules.get"),
        "DANGEROUS",
        "_sys",
    )
    reach = b"cbuiltins\ngetattr\n(cmath\nsin\nV__self__\ntR."
    yield Bad("act-getattr.pkl", reach, "DANGEROUS", "getattr")


def not_known() -> Iterator[Bad]:
    yield Bad("user-class.pkl", USER_CLASS, "UNKNOWN", "mypkg.utils.Config")
    yield Bad("extension.pkl", b"\x80\x02\x82\x07.", "UNKNOWN", "copyreg.extension")
    data = good()
    yield Bad("two-names.pt", renamed_in_directory(data), "BROKEN", "differ in name")
    yield Bad(
        "flag.pt", in_central(data, b"data.pkl", FLAG, b"\x01\x08"), "UNKNOWN", "differ in flags"
    )
    size = in_central(data, b"data.pkl", WHOLE, b"\x01\x02")
    yield Bad("two-sizes.pt", size, "UNKNOWN", "has two sizes")
    yield Bad("disk.pt", in_central(data, b"data.pkl", DISK, b"\x04"), "UNKNOWN", "another disk")
    yield Bad("crc.pt", in_central(data, b"data.pkl", CRC, b"abcd"), "UNKNOWN", "CRC of")
    yield Bad("twice.pt", twice(), "UNKNOWN", "two entries")
    yield Bad("before.pt", b"#!/bin/sh\n" + data, "BROKEN", "a script")
    yield Bad("after.pt", data + b"more", "UNKNOWN", "stand after the zip archive")
    yield Bad("hidden.pt", hidden_entry(), "UNKNOWN", "does not name")
    yield Bad("pickle-then-zip.pt", plain({}) + data, "UNKNOWN", "a zip archive stands behind")
    yield Bad("compressed.pt", torch_zip(plain({}), zipfile.ZIP_DEFLATED), "UNKNOWN", "compressed")
    for n, name in enumerate(("a/../x", "/etc/x", "a\\x", "a/Version")):
        data = torch_zip(plain({}), **{name: b"1"})
        yield Bad(f"name-{n}.pt", data, "UNKNOWN", "Version" if n == 3 else "a name that torch")
    nul = torch_zip(plain({}), **{"a/data_pkl": b"N."}).replace(b"a/data_pkl", b"a/data\0pkl")
    yield Bad("name-nul.pt", nul, "UNKNOWN", "a name that torch")
    yield Bad("of-a-result.pkl", b"cargparse\nNamespace\n)R)R.", "UNKNOWN", "Namespace(...)")
    yield Bad("header-and-pickle.bin", header_and_pickle(), "UNKNOWN", "as a pickle as well")
    yield Bad("liar.safetensors", plain({}), "UNKNOWN", "named .safetensors")
    yield Bad("header.npz", npz(b"{'descr': '<f4'}", b""), "UNKNOWN", "a header that keng cannot")
    yield Bad("act-frame.pkl", frames_that_end_within(), "BROKEN", "in a frame")
    yield Bad("joblib.pt", JOBLIB + b"}b\xff\xff\xff.", "BROKEN", "a shape that no array")


def headers() -> Iterator[Bad]:
    a, body = b'{"a":' + entry(0, 16), bytes(16)
    yield Bad("long-header.safetensors", safetensors(b"{}", length=2**40), "BROKEN", "100 MB")
    yield Bad("cut.safetensors", safetensors(a + b"}", body[:10]), "BROKEN", "'a' lacks 6")
    yield Bad("cut-header.safetensors", safetensors(a + b"}", length=500), "BROKEN", "of 500 bytes")
    over = a + b',"b":' + entry(8, 24) + b"}"
    yield Bad("overlap.safetensors", safetensors(over, bytes(24)), "UNKNOWN", "'b' lies over")
    yield Bad(
        "shape.safetensors",
        safetensors(b'{"a":' + entry(0, 16, "[5]") + b"}", body),
        "BROKEN",
        "takes 20",
    )
    again = a + b',"a":' + entry(0, 16) + b"}"
    yield Bad("twice.safetensors", safetensors(again, body), "UNKNOWN", "named 'a'")
    yield Bad("no-json.safetensors", safetensors(b'{"a":', body), "BROKEN", "no JSON")
    yield Bad("deep.safetensors", safetensors(b'{"a":' * 100_000), "BROKEN", "no JSON")
    gap = b'{"a":' + entry(4, 20) + b"}"
    yield Bad("gap.safetensors", safetensors(gap, bytes(24)), "UNKNOWN", "belong to no tensor")


def harmless() -> Iterator[Bad]:
    """What others call bad."""
    yield Bad("legacy.pth", legacy(weights()), "KNOWN", "")
    yield Bad("really-a-tar.pth.tar", tar_2016(), "KNOWN", "")
    yield Bad("namespace.pt", namespace(), "KNOWN", "")
    yield Bad("python2.pkl", py2(), "KNOWN", "")
    yield Bad("good.pt", good(), "KNOWN", "")


def every() -> list[Bad]:
    import bad_pickles

    found = [*damaged(), *enormous(), *dangerous(), *not_known(), *headers(), *harmless()]
    return [*found, *bad_pickles.every()]
