"""What a file is, by its first bytes and not by its name, and the reader for it."""

from __future__ import annotations

from keng.ckpt import safetensors, torch_zip
from keng.ckpt.ledger import Broken, Ledger
from keng.ckpt.source import Source, opened
from keng.ckpt.zips import LOCAL, Archive
from keng.stored import Checkpoint, Format


def read(path: str) -> Checkpoint:
    """A checkpoint, however damaged: see its troubles. Raises OSError where there is no such file."""
    ledger = Ledger()
    with opened(path) as source:
        kind, root = _read(source, ledger)
        size = source.size
    order = ledger.facts.get("byteorder", "little")
    return Checkpoint(
        path,
        kind,
        root,
        (path,),
        size,
        ledger.imports,
        tuple(ledger.calls),
        tuple(ledger.troubles),
        ledger.facts,
        "big" if order == "big" else "little",
    )


def _read(source: Source, ledger: Ledger) -> tuple[Format, object]:
    kind: Format = "zip" if source.read(0, 4) == LOCAL else "safetensors"
    try:
        if kind == "zip":
            return kind, torch_zip.read(Archive(source, ledger), ledger)
        return kind, safetensors.read(source, ledger)
    except Broken as broken:
        ledger.broken(str(broken), source.path)
        return kind, None
