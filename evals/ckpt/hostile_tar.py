"""Hostile tar archives of 2016: Python's tarfile finds a member that a stricter or looser reader misses."""

from __future__ import annotations

from collections.abc import Iterator

from containers import Hostile, clean_tar, harm, late, member, tar, tar_parts

KIND = "tar"


def files() -> Iterator[Hostile]:
    yield from _hidden()
    yield from _numbers()
    yield from _links()


def _hidden() -> Iterator[Hostile]:
    """A second `pickle` where a reader has stopped, or has skipped it."""
    again = member(b"pickle", harm())
    nul = member(b"\0x", b"")
    yield _of("nul-name", tar(*clean_tar(), nul, again), "issue 34: NUL name")
    yield _of("nul-name-only", tar(nul, *clean_tar()[:2], again), "issue 34: NUL name")
    folder = member(b"d/", b"", type=b"5", size=b"%011o\0" % len(again))
    yield _of("folder-size", tar(*clean_tar(), folder, again), "issue 34: folder entries")
    old = member(b"d/", b"", type=b"\0", magic=b"", size=b"%011o\0" % len(again))
    yield _of("old-folder-size", tar(*clean_tar(), old, again), "issue 34: old folder entries")
    device = member(b"dev", b"", type=b"3", size=b"%011o\0" % len(again))
    yield _of("device-size", tar(*clean_tar(), device, again), "tar: sizes of devices are ignored")
    fifo = member(b"fifo", b"", type=b"6", size=b"%011o\0" % len(again))
    yield _of("fifo-size", tar(*clean_tar(), fifo, again), "tar: sizes of pipes are ignored")
    yield _of("twice", tar(*clean_tar(), again), "issue 34: a member twice")
    dotted = member(b"./pickle", harm())
    yield _of("twice-dotted", tar(*clean_tar(), dotted), "tar: two spellings of a name", "")
    slash = member(b"pickle/", b"", type=b"\0", magic=b"")
    yield _of("folder-named-pickle", tar(*clean_tar(), slash, again), "tar: a folder of that name")
    other = member(b"notes", late())
    yield _of("other-member", tar(*clean_tar(), other), "issue 34: machine stops early", "")
    renamed = member(b"x", b"15 path=pickle\n", type=b"x")
    yield _of("pax-path", tar(*clean_tar(), renamed, member(b"n", harm())), "tar: pax path")
    lying = member(b"x", b"11 mtime=1 15 path=pickle\n", type=b"x")
    other = member(b"sys_info", harm())
    yield _of("pax-length", tar(*clean_tar(), lying, other), "tar: lengths of pax records")
    everyone = member(b"x", b"15 path=pickle\n", type=b"g")
    yield _of("pax-global", tar(*clean_tar(), everyone, member(b"n", harm())), "tar: pax path")
    long = member(b"././@LongLink", b"pickle\0", type=b"L")
    yield _of("gnu-long-name", tar(*clean_tar(), long, member(b"n", harm())), "tar: GNU long name")
    prefixed = member(b"pickle", harm(), type=b"7")
    yield _of("contiguous", tar(*clean_tar(), prefixed), "tar: contiguous files")


def _numbers() -> Iterator[Hostile]:
    """Numbers that only Python's `int(text.strip(), 8)` or signed arithmetic accepts."""
    good, evil = clean_tar(), harm()
    parts = tar_parts(evil)
    for name, shape in {
        "strip": b"\x1c%05o\x1d\0",
        "underscore": b"0_%05o\0",
        "plus": b"+%05o\0 ",
        "prefix": b"0o%05o\0",
        "tabs": b"\t%05o\v\0",
        "no-nul": b"%08o",
    }.items():
        first = member(b"storages", parts[b"storages"], check=shape)
        rest = [member(n, parts[n]) for n in (b"tensors", b"pickle")]
        yield _of(f"check-{name}", tar(first, *rest), "issue 34: checksum arithmetic")
        last = member(b"pickle", evil, check=shape)
        yield _of(f"check-{name}-late", tar(*good, last), "issue 34: checksum arithmetic")
    high = member(b"\xff\xfe", b"", signed=b"1")
    yield _of("check-signed", tar(high, *(member(n, d) for n, d in parts.items())), "signed sums")
    base = (0o200).to_bytes(1, "big") + len(evil).to_bytes(11, "big")
    yield _of("size-base-256", tar(*good, member(b"pickle", evil, size=base)), "tar: base 256")
    for name, size in {
        "strip": b"\x1c%09o\x1d\0",
        "underscore": b"0_%09o\0",
        "plus": b"+%010o\0",
    }.items():
        middle = member(b"n", evil, size=size % len(evil))
        yield _of(f"size-{name}", tar(*good, middle, member(b"pickle", evil)), "tar: sizes")


def _links() -> Iterator[Hostile]:
    notes = member(b"notes", harm())
    for kind in (b"1", b"2"):
        link = member(b"pickle", b"", type=kind, link=b"notes")
        yield _of(
            f"link-{kind.decode()}", tar(notes, *clean_tar(), link), "tar: links are followed"
        )


def _of(name: str, data: bytes, source: str, loader: str = "torch") -> Hostile:
    return Hostile(f"tar-{name}.pth.tar", data, KIND, loader, source)
