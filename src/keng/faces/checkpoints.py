"""What the commands on checkpoints have in common: which files are meant, and how they are opened."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from keng import ckpt
from keng.disk import why
from keng.faces.cli import Usage
from keng.stored import Checkpoint

SUFFIXES = (
    *(".pt", ".pth", ".bin", ".ckpt", ".tar", ".pkl", ".pickle", ".safetensors", ".npz", ".pt2"),
    *(".model", ".t7", ".index.json", ".joblib", ".dat"),
)
"""What checkpoints in a folder are named by; a file that is named is read whatever its name."""


def files(paths: list[str]) -> Iterator[str]:
    """Each file that is meant: of a folder those below that look like checkpoints, of a pattern those
    that match."""
    import glob

    for path in paths:
        if os.path.isdir(path):
            yield from _below(path)
        elif not os.path.exists(path) and glob.has_magic(path):
            yield from sorted(glob.glob(path, recursive=True)) or [path]
        else:
            yield path


def _below(folder: str) -> Iterator[str]:
    """The pieces of torch.distributed.checkpoint are one with their folder."""
    for here, folders, names in os.walk(folder):
        folders.sort()
        pieces = [name for name in names if name == ".metadata" or name.endswith(".distcp")]
        if pieces:
            yield here
        for name in sorted(set(names) - set(pieces)):
            if name.endswith(SUFFIXES):
                yield os.path.join(here, name)


@contextmanager
def local(path: str, command: str) -> Iterator[str]:
    """The path, or that of a copy of the standard input where it is `-`. Raises Usage."""
    if _is_address(path):
        raise Usage(f"ckpt {command}: keng fetches nothing: download {path} first")
    if path != "-":
        yield path
        return
    import shutil
    import tempfile

    with tempfile.NamedTemporaryFile(prefix="keng-") as copy:
        shutil.copyfileobj(sys.stdin.buffer, copy)
        copy.flush()
        yield copy.name


def _is_address(path: str) -> bool:
    scheme, found, _ = path.partition("://")
    return path.startswith("hf:") or bool(found and scheme.replace("+", "").isalnum())


def read(path: str, command: str) -> Checkpoint:
    """Raises Usage where there is no such file."""
    try:
        return ckpt.read(path)
    except OSError as error:
        raise Usage(f"ckpt {command}: {path}: {why(error)}") from None


def whole(path: str, command: str) -> Checkpoint:
    """As `read`, of what is not broken, with the parts of a DeepSpeed checkpoint put together. Raises
    Usage."""
    found = read(path, command)
    if found.broken:
        raise Usage(f"ckpt {command}: {path}: {found.broken[0]}")
    if found.format == "zero":
        from keng.ckpt import zero

        try:
            found.root = zero.merged(found.root)
        except ValueError as error:
            raise Usage(f"ckpt {command}: {path}: {error}") from None
    return found
