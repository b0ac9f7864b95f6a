"""Files that are packed as a whole, as joblib packs its pickles: unpacked in memory, up to a limit."""

from __future__ import annotations

from keng.ckpt.byte_source import Source
from keng.ckpt.pickle.budget import Broken, Ledger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LARGEST = 64 * 1024 * 1024
"""Bytes."""
PIECE = 1 << 20
GZIP = 31
"""What zlib calls the window of a stream with the header of gzip."""


def read(packing: str, source: Source, ledger: Ledger) -> bytes:
    """The bytes unpacked. Raises Broken where it is cut off, too large, or packed in a way that Python has
    not."""
    unpacker = _unpacker(packing)
    if unpacker is None:
        raise Broken(f"a file packed with {packing}: unpack it first")
    pieces, count = [], 0
    data = source.whole(0, source.size)
    try:
        while not unpacker.eof:
            piece = unpacker.decompress(data, PIECE)
            data = getattr(unpacker, "unconsumed_tail", b"")
            if not piece and not data:
                break
            pieces.append(piece)
            count += len(piece)
            ledger.charge(len(piece))
            if count > LARGEST:
                raise Broken(f"a file packed with {packing}, larger than 64 MB: unpack it first")
    except Broken:
        raise
    except Exception:  # of whichever module
        raise Broken(f"a file packed with {packing}, which cannot be unpacked") from None
    if not unpacker.eof:
        raise Broken(f"a file packed with {packing}, which was cut off")
    if unpacker.unused_data:
        ledger.trick(f"{len(unpacker.unused_data)} bytes follow what is packed", source.path)
    return b"".join(pieces)


def _unpacker(packing: str) -> Any:
    """None where Python has none."""
    if packing in ("gzip", "zlib"):
        import zlib

        return zlib.decompressobj(GZIP if packing == "gzip" else zlib.MAX_WBITS)
    if packing == "bzip2":
        import bz2

        return bz2.BZ2Decompressor()
    if packing == "xz":
        import lzma

        return lzma.LZMADecompressor()
    return None
