"""What a file is, by its first bytes and not by its name."""

from __future__ import annotations

import re
import struct

from keng.ckpt.byte_source import Source
from keng.ckpt.formats.zip_directory import CENTRAL, END, LOCAL, LOCATOR64

LOOKED_AT = 4096
PLAIN = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\0": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!": "rar",
    b"x\x9c": "zlib",
    b"x^": "zlib",
    b"x\x01": "zlib",
    b"x\xda": "zlib",
}
OTHERS = {
    b"%PDF": "a PDF",
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"\x7fELF": "a program (ELF)",
    b"MZ": "a program of Windows",
    b"#!": "a script",
}
GGUF = b"GGUF"
HDF5 = b"\x89HDF\r\n\x1a\n"
POINTER = rb"version https://git-lfs[^\n]*\noid \S+\nsize (\d+)"


def not_a_checkpoint(source: Source) -> str:
    """What a file is that no checkpoint is; empty where it may be one."""
    head = source.read(0, LOOKED_AT)
    if not head:
        return "the file is empty: saving it was broken off, or the disk was full"
    if pointer := re.match(POINTER, head):
        size = int(pointer[1])
        return f"a git-LFS pointer; the file itself has {size} bytes: `git lfs pull` fetches it"
    if not head.strip(b"\0") and not source.read(source.size // 2, LOOKED_AT).strip(b"\0"):
        return "nothing but zeros: a download or a disk that was broken off"
    return _packed(head) or _other(head) or _text(head)


def packing(head: bytes) -> str:
    """What a file is packed with, by its first bytes; empty where it is not."""
    return next((kind for magic, kind in PLAIN.items() if head.startswith(magic)), "")


def _packed(head: bytes) -> str:
    kind = packing(head)
    return f"a file packed with {kind}: unpack it first" if kind else ""


def _other(head: bytes) -> str:
    return next((kind for magic, kind in OTHERS.items() if head.startswith(magic)), "")


def _text(head: bytes) -> str:
    begin = head.lstrip(b"\xef\xbb\xbf \t\r\n")[:512].lower()
    if begin.startswith((b"<!doctype html", b"<html")) or b"<head" in begin:
        title = re.search(rb"<title[^>]*>\s*([^<]{1,80})", head, re.IGNORECASE)
        named = f' titled "{title[1].decode("utf-8", "replace").strip()}"' if title else ""
        return f"an HTML page{named}: the server sent a page in place of the file"
    if begin.startswith((b"<?xml", b"<error")):
        return "an XML text: the server sent an error in place of the file"
    if begin.startswith(b"{") and b'"weight_map"' not in head:
        return "a JSON text"
    return ""


def is_zip(source: Source) -> bool:
    """torch looks at the first four bytes; Python's zipfile looks for the end."""
    return source.read(0, 4) in (LOCAL, END)


def ends_as_zip(source: Source) -> bool:
    """Whether a reader that looks for the end finds a directory: from where the end says, or right before
    it."""
    begin = max(0, source.size - 0x10016)
    tail = source.read(begin, source.size - begin)
    at = tail.rfind(END)
    while at >= 0:
        size, start = struct.unpack_from("<2I", tail.ljust(at + 22, b"\0"), at + 12)
        places = (start, begin + at - size, begin + at - size - 76)
        empty = not size and not start and at + 22 == len(tail)
        if LOCATOR64 in tail[max(0, at - 20) : at] or empty:
            return True
        if any(place >= 0 and source.read(place, 4) == CENTRAL for place in places):
            return True
        at = tail.rfind(END, 0, at)
    return False


def is_safetensors(source: Source) -> bool:
    """Its header is a JSON object. A pickle may begin with 0x80 as a header of 128 bytes does, but then
    an opcode stands at its third byte, and none is zero."""
    head = source.read(0, 9)
    return len(head) == 9 and head[8:] == b"{" and (head[0] != 0x80 or head[2] == 0)


def is_index(source: Source) -> bool:
    head = source.read(0, LOOKED_AT).lstrip()
    return head.startswith(b"{") and b'"weight_map"' in head
