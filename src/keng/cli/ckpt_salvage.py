"""`keng ckpt salvage`: what can still be read of a damaged checkpoint, into a new file."""

from __future__ import annotations

import sys

from keng._util.texts import sentence, why
from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.pickle.budget import Broken
from keng.ckpt.salvage import salvaged
from keng.ckpt.tree import dotted
from keng.cli import checkpoint_files, ckpt_output
from keng.cli.commands import refused
from keng.cli.options import Parser
from keng.report.screen import Line, Piece, Screen
from keng.report.words import Words

EXAMPLES = """
  keng ckpt salvage broken.ckpt rescued.safetensors
  keng ckpt verify broken.ckpt                         how much can be read
"""


def parser() -> Parser:
    about = "Write the tensors that can still be read of a damaged checkpoint, as safetensors."
    parser = Parser("ckpt salvage", about, EXAMPLES)
    parser.add_argument("file", help="a damaged checkpoint")
    parser.add_out("the new file, .safetensors")
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    with checkpoint_files.local(options.file, "salvage") as path:
        found = _found(path)
        there = ckpt_output.named(found)
        if not there:
            raise refused("ckpt salvage", sentence("no_tensor_read"), options.file)
        out = ckpt_output.Out(options.out, options.force)
        lost = ckpt_output.write_tensors(out, there, found, "salvage").left_out
    missing = [name for name in map(dotted, found.tensors) if name not in there]
    screen, words = Screen(sys.stdout, options.color), Words(options.lang)
    screen.show(_lost([*missing, *lost], words))
    n, count = len(there) - len(lost), len(found.tensors)
    screen.show([[Piece(words("salvaged", n=n, all=count, file=options.out))]])
    return int(bool(missing or lost))


def _found(path: str) -> Checkpoint:
    try:
        return salvaged(path)
    except (OSError, Broken) as error:
        raise refused("ckpt salvage", why(error), path) from None


def _lost(names: list[str], words: Words) -> list[Line]:
    return [[Piece(f"{words('lost')}{words.colon}", "warning"), Piece(name)] for name in names]
