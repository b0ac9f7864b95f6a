"""Checkpoints on the screen, and as plain data."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping

from keng.ckpt.checkpoint import Checkpoint, Stats, Verdict
from keng.ckpt.nodes import Path, Tensor
from keng.ckpt.tree import dotted
from keng.report.places import near
from keng.report.records import Record, of_finding
from keng.report.screen import Line, Piece, paragraph
from keng.report.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keng.model import Finding

NAMES = {
    "zip": "torch.save",
    "legacy": "torch.save (before 1.6)",
    "tar": "torch.save (2016)",
    "pickle": "pickle",
    "torchscript": "TorchScript",
    "export": "torch.export",
    "safetensors": "safetensors",
    "npz": "NumPy npz",
    "npy": "NumPy array",
    "sharded": "shards",
    "dcp": "torch.distributed.checkpoint",
    "zero": "DeepSpeed ZeRO",
    "gguf": "GGUF",
    "onnx": "ONNX",
    "keras": "Keras",
    "hdf5": "HDF5",
    "nemo": "NeMo",
    "mar": "TorchServe",
    "package": "torch.package",
    "unknown": "",
}
STYLES = {"KNOWN": "added", "UNKNOWN": "warning", "DANGEROUS": "error", "BROKEN": "error"}
TROUBLES = {"broken": "error", "trick": "warning", "note": "dim"}
LONGEST = 200
"""Characters of a name."""
UNITS = ("B", "kB", "MB", "GB", "TB")


def size(count: float) -> str:
    """ "3.8 GB" """
    for unit in UNITS:
        if count < 1000 or unit == UNITS[-1]:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    raise AssertionError


def head(checkpoint: Checkpoint, name: str, words: Words) -> Line:
    kind = NAMES[checkpoint.format]
    told = words.comma.join(each for each in (kind, size(checkpoint.nbytes)) if each)
    return [Piece(row(near(name)), "place"), Piece(f"{words.colon}{told}")]


def tree(rows: Iterable[tuple[Path, Any, str]]) -> list[Line]:
    """A line for each value: its name under what is above it, its shape or the value, what is special."""
    lines: list[Line] = []
    above: Path = ()
    for path, value, special in rows:
        if above != path[:-1]:
            lines += _opened(above, path)
            above = path[:-1]
        text = _tensor(value) if isinstance(value, Tensor) else row(str(value))
        name = row(dotted(path[-1:]), LONGEST) or "."
        piece = Piece(f"  {special}", "dim") if special else Piece("")
        lines.append([Piece("  " * len(above) + name, "code"), Piece(f"  {text}"), piece])
    return lines


def _opened(above: Path, path: Path) -> list[Line]:
    """Lines for the groups that begin here."""
    same = 0
    while same < min(len(above), len(path) - 1) and above[same] == path[same]:
        same += 1
    names = ((n, row(dotted((path[n],)), LONGEST)) for n in range(same, len(path) - 1))
    return [[Piece("  " * n + name, "name")] for n, name in names]


def row(text: str, longest: int = sys.maxsize) -> str:
    """In one line, as a file may have names that would look like lines of the report."""
    if len(text) > longest:
        text = f"{text[:longest]}... ({len(text)} long)"
    return text.replace("\n", "\\n") if "\n" in text else text


def _tensor(tensor: Tensor) -> str:
    return f"{tensor.dtype} {list(tensor.shape)}{' (NumPy)' if tensor.kind == 'ndarray' else ''}"


def stats(seen: Stats) -> str:
    """ "-0.98 .. 1.02, mean 0.003, norm 12.1, 3 NaN" """
    counts = ((seen.nan, "NaN"), (seen.inf, "Inf"))
    odd = "".join(f", {count} {name}" for count, name in counts if count)
    span = f"{seen.least:.3g} .. {seen.greatest:.3g}" if seen.least <= seen.greatest else "-"
    return f"{span}, mean {seen.mean:.3g}, norm {seen.norm:.3g}{odd}"


def of_stats(seen: Stats) -> Record:
    """JSON has no NaN: where no number is finite, least and greatest are None."""
    some = seen.least <= seen.greatest
    return {
        "nan": seen.nan,
        "inf": seen.inf,
        "least": seen.least if some else None,
        "greatest": seen.greatest if some else None,
        "mean": seen.mean,
        "norm": seen.norm if math.isfinite(seen.norm) else None,
        "channels": list(seen.channels),
    }


def troubles(checkpoint: Checkpoint, words: Words, width: int) -> list[Line]:
    lines: list[Line] = []
    for trouble in checkpoint.troubles:
        first = [Piece(words(trouble.kind), TROUBLES[trouble.kind]), Piece(words.colon)]
        lines += paragraph(trouble.says, width, first)
    return lines


def acts(what: str, name: str, words: Words, width: int) -> list[Line]:
    """That a file does harm where it is loaded."""
    text = words("acts", call=what, scan=f"keng ckpt scan {name}")
    return paragraph(text, width, [Piece(words("error"), "error"), Piece(words.colon)])


def findings(found: Iterable[Finding], words: Words, width: int) -> list[Line]:
    lines: list[Line] = []
    for each in found:
        first = [
            Piece(words(each.severity), each.severity),
            Piece(" "),
            Piece(each.pitfall, "name"),
            Piece(words.colon),
        ]
        lines += paragraph(each.hit.says, width, first)
        more = [Piece(f"  {words('more')}{words.colon}", "dim")]
        lines.append([*more, Piece(f"keng explain {each.pitfall}", "command")])
    return lines


def verdict(judged: Verdict, calls: list[str], name: str, words: Words, width: int) -> list[Line]:
    lines: list[Line] = [
        [
            Piece(row(near(name)), "place"),
            Piece(words.colon),
            Piece(judged.word, STYLES[judged.word]),
        ]
    ]
    parts = (
        ("calls", "error" if judged.dangerous else "warning", calls),
        ("dangerous", "error", [str(each) for each in judged.dangerous]),
        ("unknown", "warning", [str(each) for each in judged.unknown]),
        ("trick", "warning", judged.tricks),
        ("broken", "error", judged.broken),
    )
    for key, style, texts in parts:
        for text in texts:
            lines += paragraph(text, width, [Piece(f"  {words(key)}{words.colon}", style)])
    return lines


def of_verdict(judged: Verdict, calls: list[str], path: str, found: list[Finding]) -> Record:
    return {
        "path": path,
        "verdict": judged.word,
        "dangerous": [str(name) for name in judged.dangerous],
        "unknown": [str(name) for name in judged.unknown],
        "calls": calls,
        "tricks": list(judged.tricks),
        "broken": list(judged.broken),
        "coverage": dict(judged.coverage),
        "findings": [of_finding(each) for each in found],
    }


def of_tensor(path: Path, tensor: Tensor) -> Record:
    """Offsets and strides count elements; `start` is the first byte of the storage in `file`."""
    place = tensor.storage.place
    return {
        "name": dotted(path),
        "dtype": tensor.dtype,
        "shape": list(tensor.shape),
        "stride": list(tensor.stride),
        "offset": tensor.offset,
        "nbytes": tensor.nbytes,
        "kind": tensor.kind,
        "requires_grad": tensor.requires_grad,
        "storage": tensor.storage.key,
        "device": tensor.storage.device,
        "file": place.file if place else None,
        "start": place.start if place else None,
        "crc": tensor.storage.crc,
    }


def of_checkpoint(
    checkpoint: Checkpoint,
    tensors: Mapping[Path, Tensor],
    values: Mapping[Path, Any],
    found: list[Finding],
) -> Record:
    return {
        "path": checkpoint.path,
        "format": checkpoint.format,
        "nbytes": checkpoint.nbytes,
        "files": list(checkpoint.files),
        "facts": dict(checkpoint.facts),
        "metadata": dict(checkpoint.metadata),
        "tensors": [of_tensor(path, tensor) for path, tensor in tensors.items()],
        "values": {dotted(path): value for path, value in values.items()},
        "imports": {str(name): times for name, times in checkpoint.imports.items()},
        "troubles": [{"kind": t.kind, "says": t.says} for t in checkpoint.troubles],
        "stats": {dotted(path): of_stats(seen) for path, seen in checkpoint.stats.items()},
        "findings": [of_finding(each) for each in found],
    }
