"""What the commands on checkpoints have in common: which files are meant, and how they are opened."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from keng._util.texts import sentence, why
from keng.ckpt.checkpoint import Checkpoint, Trouble
from keng.ckpt.places import below, is_address, is_folder
from keng.ckpt.reading import read_checkpoint
from keng.cli.commands import refused
from keng.report import checkpoints as report
from keng.report.screen import Line, Screen
from keng.report.words import Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

REMOTE = ("show", "diff", "verify", "scan", "match")
"""Commands that read headers, directories and pickles, and no values: by ranges where the file is remote."""
SUFFIXES = (
    *(".pt", ".pth", ".bin", ".ckpt", ".tar", ".pkl", ".pickle", ".safetensors", ".npz", ".pt2"),
    *(".model", ".t7", ".index.json", ".joblib", ".dat"),
)
"""What checkpoints in a folder are named by; a file that is named is read whatever its name."""
MODELS = (
    *SUFFIXES,
    *(
        ".jit",
        ".th",
        ".ptl",
        ".p",
        ".sav",
        ".npy",
        ".gguf",
        ".onnx",
        ".keras",
        ".h5",
        ".nemo",
        ".mar",
    ),
)
"""What a file is called that is said to be a model: one that cannot be read is reported."""


def files(paths: list[str]) -> Iterator[str]:
    """Each file that is meant: of a folder those below that look like checkpoints, of a pattern those
    that match."""
    import glob

    for path in paths:
        if is_folder(path):
            found = _below(path)
            if (first := next(found, None)) is None:
                print(f"keng: no checkpoint lies in {path}", file=sys.stderr)
            else:
                yield first
                yield from found
        elif is_address(path):
            yield path
        elif not os.path.exists(path) and glob.has_magic(path):
            yield from sorted(glob.glob(path, recursive=True)) or [path]
        else:
            yield path


def _below(folder: str) -> Iterator[str]:
    for path in everything(folder):
        if path.endswith(SUFFIXES) or is_folder(path):
            yield path


def everything(folder: str) -> Iterator[str]:
    """Each file below a folder; the pieces of torch.distributed.checkpoint are one with their folder."""
    for here, names in below(folder):
        pieces = [name for name in names if name == ".metadata" or name.endswith(".distcp")]
        if pieces:
            yield here
        for name in sorted(set(names) - set(pieces)):
            path = os.path.join(here, name)
            if is_address(path) or os.path.isfile(path) or not os.path.exists(path):
                yield path


@contextmanager
def local(path: str, command: str) -> Iterator[str]:
    """The path, or that of the one file that a pattern names; where it is `-` or a pipe, in which nobody
    can go back, that of a copy. Raises Usage."""
    if is_address(path) or path.startswith("hf:"):
        yield from _remote(path, command)
        return
    path = _meant(path, command)
    if path != "-" and _has_places(path, command):
        yield path
        return
    import shutil
    import tempfile

    with tempfile.NamedTemporaryFile(prefix="keng-") as copy:
        with nullcontext(sys.stdin.buffer) if path == "-" else open(path, "rb") as file:
            shutil.copyfileobj(file, copy, 1 << 20)
        copy.flush()
        yield copy.name


def _remote(path: str, command: str) -> Iterator[str]:
    """An address, for the commands that read headers alone; says what was read. Raises Usage."""
    if command not in REMOTE or not is_address(path):
        raise refused(f"ckpt {command}", sentence("download_first", path=path))
    from keng.ckpt import remote

    try:
        yield path
    finally:
        count, size = remote.closed(path)
        said = f"{report.size(count)} of {report.size(size)} read from {path}"
        print(f"keng: {said}", file=sys.stderr)


def _meant(path: str, command: str) -> str:
    if path == "-" or os.path.exists(path) or not set("*?[") & set(path):
        return path
    import glob

    found = sorted(glob.glob(path, recursive=True))
    if len(found) > 1:
        says = sentence("matches_several", path=path, n=len(found))
        raise refused(f"ckpt {command}", says)
    return found[0] if found else path


def _has_places(path: str, command: str) -> bool:
    """Whether it is a file or folder and no pipe, as far as it is there at all."""
    import stat

    mode = os.stat(path).st_mode if os.path.exists(path) else stat.S_IFREG
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise refused(f"ckpt {command}", sentence("is_device"), path)
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)


def read(path: str, command: str) -> Checkpoint:
    """Raises Usage where there is no such file."""
    try:
        return read_checkpoint(path)
    except OSError as error:
        raise refused(f"ckpt {command}", why(error), path) from None


def told(path: str) -> Checkpoint:
    """As `read`, of one among many: what cannot be opened is broken."""
    try:
        return read_checkpoint(path)
    except OSError as error:
        return Checkpoint(path, "unknown", None, troubles=(Trouble("broken", why(error), path),))


def acts(found: Checkpoint, name: str, words: Words, width: int) -> list[Line]:
    """That loading the file would do harm, where it would."""
    if not found.refused:
        return []  # all of its names are those that torch itself takes for safe
    from keng.ckpt.verdict import acting

    what = acting(found)
    return report.acts(what, name, words, width) if what else []


def warn(found: Checkpoint, name: str, options: Namespace) -> None:
    """The same on standard error, beside what was asked for."""
    screen = Screen(sys.stderr, options.color)
    screen.show(acts(found, name, Words(options.lang), screen.width))


def whole(path: str, command: str) -> Checkpoint:
    """As `read`, of what is not broken, with the parts of a DeepSpeed checkpoint put together. Raises
    Usage."""
    found = read(path, command)
    if found.broken:
        raise refused(f"ckpt {command}", found.broken[0], path)
    if found.format == "zero":
        from keng.ckpt.formats import deepspeed_zero

        try:
            found.root = deepspeed_zero.merged(found.root)
        except ValueError as error:
            raise refused(f"ckpt {command}", why(error), path) from None
    return found
