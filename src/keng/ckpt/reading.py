"""Reads a checkpoint: a file, or a folder or index that stands for several."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.files import Files
from keng.ckpt.formats import detect
from keng.ckpt.formats.content import content, other_readings
from keng.ckpt.pickle import names
from keng.ckpt.pickle.budget import Broken, Ledger
from keng.ckpt.places import is_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keng.ckpt.aliases import Format

WHOLE = {"zip", "legacy", "tar", "pickle", "torchscript", "export", "safetensors", "npz", "npy"}
WHOLE |= {"gguf", "onnx", "keras", "nemo", "mar", "package"}
"""Formats of one file."""
SHARDING = "DCP_SHARDING_INFO"
"""Of the files of torch.distributed.checkpoint, whose pieces are put together."""
TORCHS = (".pt", ".pth", ".bin", ".ckpt")
"""Names of files that people load with torch.load."""


def read_checkpoint(path: str) -> Checkpoint:
    """A checkpoint, however damaged: see its troubles. Raises OSError where there is no such file."""
    ledger = Ledger(content)
    with Files(ledger) as files, _nothing_collected():
        kind, root = _top(path, files)
        if path.endswith(".safetensors") and kind not in ("safetensors", "unknown"):
            ledger.trick("it is named .safetensors and is none", path)
        if kind == "safetensors" and path.endswith(TORCHS):
            ledger.note(
                "it is safetensors, which torch.load does not read, whatever its name", path
            )
        _account(path, kind, files)
        size, seen = sum(files.seen.values()), tuple(files.seen)
    return Checkpoint(
        path,
        kind,
        root,
        seen,
        size,
        ledger.imports,
        tuple(ledger.calls),
        tuple(ledger.troubles.values()),
        ledger.facts,
        names.refused(ledger.imports),
        dict(ledger.coverage),
        {k: v for k, v in ledger.metadata.items() if k != SHARDING},
    )


def _account(path: str, kind: Format, files: Files) -> None:
    """Every byte of a file belongs to something that was read, or it is not known what is in it."""
    ledger, size = files.ledger, files.seen.get(path)
    if kind not in WHOLE or list(files.seen) != [path] or ledger.is_broken:
        return
    if size != ledger.coverage.total():
        rest = (size or 0) - ledger.coverage.total()
        ledger.claim("unread", rest)
        ledger.trick(f"{rest} bytes of the file belong to nothing that keng reads", path)


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """While a tree is built there is no garbage to be looked for."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _top(path: str, files: Files) -> tuple[Format, object]:
    try:
        if is_folder(path):
            from keng.ckpt.formats import folders

            return folders.read(path, files)
        if path.endswith(".distcp"):
            raise Broken("a piece of a torch.distributed.checkpoint: name its folder")
        with files.opened(path) as source:
            index = detect.is_index(source)
            if index:
                other_readings("sharded", source, files.ledger)
        if index:
            from keng.ckpt.formats import folders

            return "sharded", folders.sharded(path, files)
        return files.content(path)
    except Broken as broken:
        files.ledger.broken(str(broken), path)
        return "unknown", None
