"""One file that is two: another loader makes something different of the same bytes."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from containers import (
    COMMAND,
    Hostile,
    clean_tar,
    harm,
    legacy,
    member,
    plain,
    records,
    safetensors,
    tar,
    tar_parts,
)

KIND = "two files in one"
SHORT = b"cos\nsystem\nU%c%s\x85R" % (len(COMMAND), COMMAND.encode())
STORAGE = b"(U\x07storagectorch\nFloatStorage\nU\x010U\x03cpuK\x04NtQ0"
WRAPPER = b"cjoblib.numpy_pickle\nNumpyArrayWrapper\n0"
TEXT = b"0000644 0000000 0000000 "


def files() -> Iterator[Hostile]:
    magic = plain(0x1950A86A20F9469CFC6C) + plain(1001) + b"}."
    old = _utf_16(magic + SHORT + b"." + b"].")
    yield _of("utf16-legacy", old, "issue 34: a header in UTF-16", "torch")
    late = _utf_16(magic + STORAGE + SHORT + b"." + b"].")
    yield _of("utf16-legacy-late", late, "issue 34: a persistent id first", "torch")
    yield _of("utf16-pickle", _utf_16(SHORT + b"."), "a header in UTF-16", "pickle")
    yield _of("utf16-second", _utf_16(b"N." + SHORT + b"."), "the second pickle", "pickles")
    yield _of("utf16-joblib", _utf_16(WRAPPER + SHORT + b"."), "joblib in UTF-16", "joblib")
    yield _of("tar", _and_tar(), "tar in a header of safetensors", "torch")
    yield _of("script", _and_zip(), "TorchScript behind safetensors", "jit", "safetensors")
    yield _of("legacy-script", _behind(legacy(plain({}))), "TorchScript behind legacy", "jit")
    yield _of("tar-script", _behind(tar(*clean_tar())), "TorchScript behind a tar", "jit")
    yield _of("zip-tar", _zip_and_tar(), "torch before 1.6 tries tar first", "")
    yield _of("legacy-source", _patched(), "torch.load writes a .patch file", "")


def _utf_16(code: bytes) -> bytes:
    """A safetensors file whose first byte is the opcode of a text that ends where the code begins; the
    header is JSON in UTF-16, in which any two bytes are a character."""
    prefix = '{"__metadata__":{"k":"'.encode("utf-16-le")
    count = 3 + len(prefix)
    length = int.from_bytes(b"X" + bytes((count,)), "little")
    code = b"0" + code
    middle = code + b"." * (len(code) % 2)
    end = '"}}'.encode("utf-16-le")
    blanks = (length - len(prefix) - len(middle) - len(end)) // 2
    return struct.pack("<Q", length) + prefix + middle + end + " ".encode("utf-16-le") * blanks


def _tar_header(head: bytearray, size: bytes = b"00000000000 ") -> bytes:
    """With the numbers of a tar header, all of them text."""
    head[100:124], head[124:136], head[136:148] = TEXT, size, b"00000000000 "
    head[156], head[257:265], head[329:345] = ord("0"), b"ustar  x", b"0000000 0000000 "
    total = sum(head[:148]) + 8 * 32 + sum(head[156:])
    head[148:156] = b"%06o  " % total
    return bytes(head)


def _and_tar() -> bytes:
    """Two empty members are the header of safetensors, and the members of the tar its tensor."""
    body = tar(*(member(n, d) for n, d in tar_parts(harm()).items()))
    begin = b'{"__metadata__":{"a":"'
    first = bytearray(struct.pack("<Q", 1024 - 8) + begin + b"x" * (512 - 8 - len(begin)))
    last = b'"},"t":{"dtype":"U8","shape":[%d],"data_offsets":[0,%d]}}' % (len(body), len(body))
    second = bytearray(b"y" * 345 + last + b" " * (512 - 345 - len(last)))
    return _tar_header(first) + _tar_header(second) + body


def _script() -> bytes:
    """A TorchScript archive that writes a file when it is loaded."""
    import hostile_script

    return hostile_script.acting_at_load()


def _behind(first: bytes) -> bytes:
    """The archive behind other bytes, with its offsets counted from the beginning of the file."""
    data, shift = bytearray(_script()), len(first)
    at = data.index(b"PK\x01\x02")
    while data[at : at + 4] == b"PK\x01\x02":
        name, extra, comment = struct.unpack_from("<3H", data, at + 28)
        (head,) = struct.unpack_from("<I", data, at + 42)
        struct.pack_into("<I", data, at + 42, head + shift)
        at += 46 + name + extra + comment
    for mark, place, layout in ((b"PK\6\6", 48, "<Q"), (b"PK\6\7", 8, "<Q"), (b"PK\5\6", 16, "<I")):
        at = data.rindex(mark) + place
        struct.pack_into(layout, data, at, struct.unpack_from(layout, data, at)[0] + shift)
    return first + bytes(data)


def _and_zip() -> bytes:
    count = len(_script())
    header = b'{"t":{"dtype":"U8","shape":[%d],"data_offsets":[0,%d]}}' % (count, count)
    return _behind(safetensors(header.ljust(-(-len(header) // 8) * 8)))


def _zip_and_tar() -> bytes:
    """An archive of torch whose first 512 bytes are a header of tar."""
    pickle = plain({"x": "y" * 900})
    first = records({"data.pkl": pickle, "byteorder": b"little"})
    begin = first.index(pickle)
    head = _tar_header(bytearray(first[:512]))
    pickle = head[begin:] + pickle[512 - begin :]
    return records({"data.pkl": pickle, "byteorder": b"little"})


def _patched() -> bytes:
    """A persistent id that stands for no class, with a source beside it."""
    fake = b"cargparse\nNamespace\n)R}(X\x08\0\0\0__name__X\x0a\0\0\0keng-actedX\x0c\0\0\0"
    fake += b"dump_patches\x88ub"
    pid = b"(X\x06\0\0\0module" + fake + b"X\x01\0\0\0fX\x01\0\0\0stQ"
    return legacy(b"\x80\x02" + pid + b".")


def _of(name: str, data: bytes, source: str, loader: str, suffix: str = "bin") -> Hostile:
    return Hostile(f"two-{name}.{suffix}", data, KIND, loader, source)
