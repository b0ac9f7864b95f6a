"""`keng ckpt diff`: how two checkpoints differ."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import asdict

from keng._util.texts import why
from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.diff import ABSENT, Differences, compare
from keng.cli import checkpoint_files
from keng.cli.commands import refused
from keng.cli.options import Parser, flag
from keng.cli.progress import Progress
from keng.report.plans import named
from keng.report.screen import Line, Piece, Screen
from keng.report.words import Words

EXAMPLES = """
  keng ckpt diff before.pt after.pt                  what the training changed
  keng ckpt diff model.pt model.safetensors --json   is a conversion complete?
"""


def parser() -> Parser:
    about = (
        "Compare the names, shapes, dtypes, values and metadata of two checkpoints. Entries that were only"
        " renamed are listed as renamed. Exit code 1: they differ."
    )
    parser = Parser("ckpt diff", about, EXAMPLES)
    parser.add_argument("first", help="a checkpoint")
    parser.add_argument("second", help="another one")
    flag(parser.add_output(), "--json", "print JSON")
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    with ExitStack() as copies:
        first, second = (_opened(each, options, copies) for each in (options.first, options.second))
        try:
            with Progress() as progress:
                found = compare(first, second, progress)
        except (OSError, ValueError) as error:
            raise refused("ckpt diff", why(error)) from None
    if options.json:
        print(json.dumps(asdict(found), indent=2))
    else:
        screen, words = Screen(sys.stdout, options.color), Words(options.lang)
        screen.show(_lines(found, options.first, options.second, words, screen.width))
    return int(bool(found))


def _opened(name: str, options: argparse.Namespace, copies: ExitStack) -> Checkpoint:
    found = checkpoint_files.whole(
        copies.enter_context(checkpoint_files.local(name, "diff")), "diff"
    )
    checkpoint_files.warn(found, name, options)
    return found


def _lines(found: Differences, first: str, second: str, words: Words, width: int) -> list[Line]:
    tensors = words("tensors", found.same)
    if not found and not found.unread:
        return [[Piece(words("equal", a=first, b=second, tensors=tensors))]]
    lines: list[Line] = [[Piece(words("differs", a=first, b=second, tensors=tensors))]]
    groups: list[tuple[str, Iterable[str]]] = [
        (words("only_in", name=first), [*found.only_first, *_lone(found.plain, 0)]),
        (words("only_in", name=second), [*found.only_second, *_lone(found.plain, 1)]),
        (words("renamed_tensors"), [f"{old} -> {new}" for old, new in found.renamed.items()]),
        (words("other_shapes"), _pairs(found.shapes)),
        (words("other_dtypes"), _pairs(found.dtypes)),
        (words("other_values"), found.values),
        (words("other_plain"), _pairs({n: p for n, p in found.plain.items() if ABSENT not in p})),
        (words("other_metadata"), _pairs(found.metadata)),
        (words("unread_values"), found.unread),
    ]
    lines += [
        line for head, names in groups if names for line in named(head, list(names), words, width)
    ]
    in_both = found.same or found.renamed or found.shapes or found.dtypes or found.values
    if found.only_first and found.only_second and not in_both:
        lines.append([Piece(f"  {words('names_differ')}")])
    return lines


def _pairs(pairs: Mapping[str, tuple[str, str]]) -> list[str]:
    return [f"{name} {one} -> {other}" for name, (one, other) in pairs.items()]


def _lone(plain: Mapping[str, tuple[str, str]], at: int) -> list[str]:
    """The plain values that one of the two has alone."""
    return [f"{name} {pair[at]}" for name, pair in plain.items() if pair[1 - at] == ABSENT]
