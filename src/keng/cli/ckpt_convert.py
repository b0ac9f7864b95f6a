"""`keng ckpt convert`: writes a checkpoint in another form."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Collection
from typing import Any

from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.mapping import Entries
from keng.ckpt.nodes import Dict
from keng.ckpt.repair import at, shared
from keng.ckpt.state_dicts import is_object, tensors_of
from keng.ckpt.tree import dotted
from keng.ckpt.writing.casting import CALLED, DTYPES, Casting
from keng.ckpt.writing.values import Change
from keng.cli import checkpoint_files, ckpt_output, mapping_plans
from keng.cli.commands import Usage
from keng.cli.options import Parser
from keng.report.screen import Piece, Screen, paragraph
from keng.report.words import Words


def parser() -> Parser:
    about = (
        "Write a checkpoint as torch.save does, or as safetensors where OUT is named so. Shards,"
        " torch.distributed.checkpoint and DeepSpeed ZeRO folders become one file."
    )
    parser = Parser("ckpt convert", about)
    parser.add_argument("file", help="a file or folder")
    parser.add_argument("out", help="a new file")
    parser.add_argument("--weights", action="store_true", help="the state dict alone")
    parser.add_argument("--key", default="", help="which state dict, as `ema`")
    what = "of what is floating point"
    parser.add_argument("--dtype", type=_dtype, choices=DTYPES, default="", help=what)
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.add_force()
    parser.add_look()
    return parser


def _dtype(text: str) -> str:
    return CALLED.get(text, text)


def main(args: list[str]) -> int:
    options = parser().parse(args)
    with checkpoint_files.local(options.file, "convert") as path:
        found = checkpoint_files.whole(path, "convert")
        checkpoint_files.warn(found, options.file, options)
        root = _meant(found, options)
        done = ckpt_output.write(
            ckpt_output.Out(options.out, options.force),
            root,
            found,
            "convert",
            _change(options.dtype),
        )
    if options.json:
        print(json.dumps({"out": options.out, "left_out": done.left_out}, indent=2))
        return 0
    words = Words(options.lang)
    ckpt_output.say(options.out, done, options.color, words)
    if root is found.root:
        if _within(found, done.left_out):
            print(words("class_lost"))
        return 0
    if options.out.endswith(".safetensors"):
        _say_copies(root, options.color, words)
    if others := _others(found, root):
        print(words("others_left", others))
    return 0


def _within(found: Checkpoint, left_out: Collection[str]) -> bool:
    """Whether tensors lie in what was left out."""
    return any(dotted(path[:n]) in left_out for path in found.tensors for n in range(1, len(path)))


def _meant(found: Checkpoint, options: argparse.Namespace) -> Any:
    """What is written: all, or a state dict."""
    if not (options.weights or options.key or options.out.endswith(".safetensors")):
        if name := _pickled(found):
            says = (
                f"{options.file}: its tensors are in a pickled `{name}`, which only its class loads"
            )
            raise Usage(f"ckpt convert: {says}: --weights writes its tensors alone")
        return found.root
    keys, names = _chosen(mapping_plans.candidates(found, options.key, "convert"))
    tensors = tensors_of(at(found.root, keys))
    return Dict("OrderedDict", [(name, tensors[name]) for name in names])


def _pickled(found: Checkpoint) -> str:
    """The class in whose objects all tensors of the file are; empty where some are in none."""
    classes = {path: str(node.name) for path, node in found.walked if is_object(node)}
    within = [any(path[:n] in classes for n in range(len(path))) for path in found.tensors]
    return next(iter(classes.values())) if within and all(within) else ""


def _others(found: Checkpoint, state: Any) -> int:
    """How many tensors of the file a state dict lacks."""
    kept = {id(tensor) for tensor in tensors_of(state).values()}
    return sum(id(tensor) not in kept for tensor in found.tensors.values())


def _chosen(candidates: mapping_plans.Candidates) -> tuple[tuple[str, ...], Entries]:
    """The state dict there is; a few tensors beside it, as of a random state, are none."""
    most = max(map(len, candidates.values()))
    large = [keys for keys, names in candidates.items() if 2 * len(names) >= most]
    if len(large) > 1:
        listed = ", ".join(".".join(keys) or "the outermost" for keys in large)
        raise Usage(f"ckpt convert: several state dicts are in it: {listed}: --key names one")
    return large[0], candidates[large[0]]


def _change(dtype: str) -> Change:
    if not dtype:
        return lambda tensor: tensor
    try:
        return Casting(dtype)
    except ImportError:
        raise Usage("ckpt convert: --dtype needs NumPy: pip install numpy") from None


def _say_copies(state: Any, color: str, words: Words) -> None:
    screen = Screen(sys.stdout, color)
    for names in shared(tensors_of(state)):
        text = f"{words.comma.join(names)}{words.colon}{words('copied')}"
        screen.show(paragraph(text, screen.width, [Piece("  ")]))
