"""What `keng ckpt fix` and `keng ckpt convert` have in common: a file is written, and it is said which."""

from __future__ import annotations

import os
import sys
from typing import Any

from keng.ckpt.mending import save, size_of
from keng.ckpt.states import tensors_of
from keng.ckpt.writing.contents import Advance
from keng.ckpt.writing.values import Change, Refused
from keng.faces.cli import Usage
from keng.faces.progress import Progress
from keng.report import checkpoints as report
from keng.report.screen import Line, Piece, Screen, paragraph
from keng.report.words import Words
from keng.stored import Checkpoint

MEGABYTE = 1_000_000


def write(
    out: str, root: Any, found: Checkpoint, command: str, change: Change = lambda tensor: tensor
) -> dict[str, str]:
    """What was left out, and why. Raises Usage."""
    try:
        with Progress() as progress:
            return save(out, root, found, _advance(progress, size_of(root)), change)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise Usage(f"ckpt {command}: {error.filename or out}: {why}") from None
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
    for name, why in left_out.items():
        head = [Piece(f"  {words('left_out')}", "warning"), Piece(words.colon)]
        lines += paragraph(f"{name}{words.comma}{why}", screen.width, head)
    screen.show(lines)
