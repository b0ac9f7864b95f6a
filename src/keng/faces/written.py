"""What the commands have in common that write a checkpoint, and say which."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from keng.ckpt.mending import save, size_of
from keng.ckpt.states import tensors_of
from keng.ckpt.verifying import readable
from keng.ckpt.writing import write_safetensors
from keng.ckpt.writing.contents import Advance
from keng.ckpt.writing.values import Change, Refused
from keng.disk import why
from keng.faces.cli import Usage
from keng.faces.progress import Progress
from keng.report import checkpoints as report
from keng.report.screen import Line, Piece, Screen, paragraph
from keng.report.words import Words
from keng.stored import Checkpoint, Tensor, dotted

MEGABYTE = 1_000_000


def write(
    out: str, root: Any, found: Checkpoint, command: str, change: Change = lambda tensor: tensor
) -> dict[str, str]:
    """What was left out, and why. Raises Usage."""
    with _writing(out, found, command, size_of(root)) as advance:
        return save(out, root, found, advance, change)


def named(found: Checkpoint) -> dict[str, Tensor]:
    """The tensors that can be read, by dotted name."""
    return {dotted(path): tensor for path, tensor in readable(found).items()}


def write_tensors(
    out: str, tensors: dict[str, Tensor], found: Checkpoint, command: str
) -> dict[str, str]:
    """Nothing but these, as safetensors, which the name is to say: torch.load takes a file of another
    name for its own. What was left out, and why. Raises Usage."""
    if not out.endswith(".safetensors"):
        raise Usage(f"ckpt {command}: {out}: it is written as safetensors: name it .safetensors")
    total = sum(tensor.nbytes for tensor in tensors.values())
    with _writing(out, found, command, total) as advance:
        return write_safetensors(out, tensors, found, advance)


@contextmanager
def _writing(out: str, found: Checkpoint, command: str, total: int) -> Iterator[Advance]:
    try:
        with Progress() as progress:
            yield _advance(progress, total)
    except OSError as error:
        raise Usage(f"ckpt {command}: {error.filename or out}: {why(error)}") from None
    except (ValueError, Refused, RecursionError) as error:
        raise Usage(f"ckpt {command}: {found.path}: {error}") from None


def _advance(progress: Progress, total: int) -> Advance:
    done = 0

    def advance(count: int) -> None:
        nonlocal done
        done += count
        progress(done // MEGABYTE, max(total, done) // MEGABYTE)

    return advance


def say(out: str, state: Any, left_out: dict[str, str], color: str, words: Words) -> None:
    screen = Screen(sys.stdout, color)
    size = report.size(os.path.getsize(out))
    count = len(tensors_of(state))
    lines: list[Line] = [[Piece(words("written", n=count, file=out, size=size))]]
    for name, reason in left_out.items():
        head = [Piece(f"  {words('left_out')}", "warning"), Piece(words.colon)]
        lines += paragraph(f"{name}{words.comma}{reason}", screen.width, head)
    screen.show(lines)
