"""What the commands have in common that write a checkpoint, and say which."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from keng._util.disk import unwritable
from keng._util.texts import sentence, why
from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.nodes import Dict, Tensor
from keng.ckpt.repair import save, size_of
from keng.ckpt.state_dicts import tensors_of
from keng.ckpt.tree import by_name
from keng.ckpt.verify import readable
from keng.ckpt.writing import shards, write_safetensors
from keng.ckpt.writing.contents import Advance
from keng.ckpt.writing.values import Change, Refused, Written
from keng.cli.commands import refused
from keng.cli.interrupts import told_to_end
from keng.cli.progress import Progress
from keng.report import checkpoints as report
from keng.report.screen import Line, Piece, Screen, paragraph
from keng.report.words import Words

MEGABYTE = 1_000_000
FOREIGN = (".npz", ".npy", ".gguf", ".onnx", ".h5", ".hdf5", ".msgpack", ".json", ".pt2", ".tflite")
"""Ends of names by which other programs take a file for their own."""


INDEX = (".safetensors.index.json", ".bin.index.json", ".pt.index.json", ".pth.index.json")


class Out(NamedTuple):
    """Where to write. What stands there may be the only copy of weeks of training, and a pattern of two
    files (`keng ckpt convert *.pt`) names one by mistake: it is replaced where that is asked for."""

    path: str
    replace: bool


def write(
    out: Out,
    root: Any,
    found: Checkpoint,
    command: str,
    change: Change = lambda tensor: tensor,
    metadata: Mapping[str, str] | None = None,
) -> Written:
    """Raises Usage."""
    with _writing(out, found, command, size_of(root)) as advance:
        return save(out.path, root, found, advance, change, metadata)


def write_shards(
    out: Out,
    state: Dict,
    found: Checkpoint,
    most: int,
    change: Change = lambda tensor: tensor,
    metadata: Mapping[str, str] | None = None,
) -> tuple[Written, list[str]]:
    """Several files of at most so many bytes of tensors, or one where that is enough; and their names.
    Raises Usage."""
    tensors = tensors_of(state)
    parts = shards.groups(tensors, most, change)
    if len(parts) == 1:
        return write(out, state, found, "convert", change, metadata), [out.path]
    names = [*shards.names_of(out.path, len(parts)), shards.index_of(out.path)]
    for name in names:
        if says := _no_place(out._replace(path=name), found):
            raise refused("ckpt convert", says, name)
    with _writing(out, found, "convert", size_of(state)) as advance:
        done = shards.write(
            out.path,
            tensors,
            parts,
            lambda path, part: save(
                path, Dict("OrderedDict", list(part.items())), found, advance, change, metadata
            ),
        )
    return done, names


def named(found: Checkpoint) -> dict[str, Tensor]:
    """The tensors that can be read, by dotted name."""
    return by_name(readable(found).items())


def write_tensors(out: Out, tensors: dict[str, Tensor], found: Checkpoint, command: str) -> Written:
    """Nothing but these, as safetensors, which the name is to say: torch.load takes a file of another
    name for its own. Raises Usage."""
    if not out.path.endswith(".safetensors"):
        raise refused(f"ckpt {command}", sentence("name_safetensors"), out.path)
    total = sum(tensor.nbytes for tensor in tensors.values())
    with _writing(out, found, command, total) as advance:
        return write_safetensors(out.path, tensors, found, advance)


@contextmanager
def _writing(out: Out, found: Checkpoint, command: str, total: int) -> Iterator[Advance]:
    if says := _no_place(out, found):
        raise refused(f"ckpt {command}", says, out.path or "OUT")
    try:
        with told_to_end(), Progress() as progress:
            yield _advance(progress, total)
    except OSError as error:
        raise refused(f"ckpt {command}", why(error), error.filename or out.path) from None
    except (ValueError, Refused, RecursionError) as error:
        raise refused(f"ckpt {command}", why(error), found.path) from None


def _no_place(place: Out, found: Checkpoint) -> str:
    """Why nothing is written there; empty where it may be."""
    out = place.path
    if not out or out == "-":
        return sentence("out_needs_file")
    if out.endswith(FOREIGN) and not out.endswith(INDEX):
        return sentence("out_is_foreign")
    if not os.path.exists(out):
        return "" if os.path.basename(out) else sentence("no_such_folder")
    if any(os.path.samefile(out, file) for file in found.files):
        return sentence("out_is_source")
    if not os.path.isfile(out):
        return sentence("is_folder") if os.path.isdir(out) else sentence("out_not_file")
    if os.path.getsize(out) and not place.replace:
        return sentence("out_exists")
    skipped = unwritable(out)
    return skipped.why if skipped else ""


def _advance(progress: Progress, total: int) -> Advance:
    done = 0

    def advance(count: int) -> None:
        nonlocal done
        done += count
        progress(done // MEGABYTE, max(total, done) // MEGABYTE)

    return advance


def say(out: str, written: Written, color: str, words: Words, more: Sequence[str] = ()) -> None:
    """`more` are the names of all files, where there are several."""
    screen = Screen(sys.stdout, color)
    size = report.size(sum(os.path.getsize(name) for name in more or [out]))
    if len(more) > 1:
        out = words("shards_of", len(more) - 1, index=more[-1])
    lines: list[Line] = [[Piece(words("written", written.tensors, file=out, size=size))]]
    for name, reason in written.left_out.items():
        head = [Piece(f"  {words('left_out')}", "warning"), Piece(words.colon)]
        lines += paragraph(f"{name}{words.comma}{reason}", screen.width, head)
    screen.show(lines)
