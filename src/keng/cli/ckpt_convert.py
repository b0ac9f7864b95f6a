"""`keng ckpt convert`: writes a checkpoint in another form."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Collection, Mapping
from contextlib import ExitStack
from typing import Any

from keng._util.texts import sentence
from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.loose import loose
from keng.ckpt.nodes import Dict, Tensor
from keng.ckpt.repair import at, shared
from keng.ckpt.state_dicts import is_object, states, tensors_of
from keng.ckpt.tree import by_name, dotted, walk
from keng.ckpt.writing.casting import CALLED, DTYPES, Casting
from keng.ckpt.writing.compact import Compact
from keng.ckpt.writing.values import Change, Written
from keng.cli import checkpoint_files, ckpt_edits, ckpt_output, mapping_plans
from keng.cli.commands import refused
from keng.cli.options import Parser, flag
from keng.report.screen import Piece, Screen, paragraph
from keng.report.words import Words

EXAMPLES = """
  keng ckpt convert model.pt model.safetensors
  keng ckpt convert last.ckpt weights.pt --weights --strip-prefix model.    for model.load_state_dict
  keng ckpt convert checkpoint-500 model.safetensors --dtype bfloat16       shards into one file
"""


def parser() -> Parser:
    about = (
        "Write a checkpoint as torch.save does, or as safetensors if OUT ends in .safetensors. Shards,"
        " torch.distributed.checkpoint and DeepSpeed ZeRO folders become one file."
    )
    parser = Parser("ckpt convert", about, EXAMPLES)
    parser.add_argument("file", help="a file or folder")
    parser.add_out("a new file")
    values = parser.add_argument_group("values")
    what = "convert floating point tensors to this dtype"
    values.add_argument("--dtype", type=_dtype, choices=DTYPES, default="", help=what)
    ckpt_edits.add(parser)
    flag(parser.add_output(), "--json", "print JSON")
    parser.add_look()
    return parser


def _dtype(text: str) -> str:
    return CALLED.get(text, text)


def main(args: list[str]) -> int:
    options = parser().parse(args)
    with ExitStack() as files:
        path = files.enter_context(checkpoint_files.local(options.file, "convert"))
        found = checkpoint_files.whole(path, "convert")
        checkpoint_files.warn(found, options.file, options)
        whole = ckpt_edits.chosen(found, options)
        chosen = _meant(whole, options)
        root, lacking = ckpt_edits.replaced(chosen, options, files)
        root = ckpt_edits.renamed(root, options)
        casting = _casting(options.dtype)
        compact = Compact(loose(whole) if options.compact else {})
        change: Change = lambda tensor: casting(compact(tensor))  # noqa: E731
        texts = ckpt_edits.metadata(found, options)
        done, names = _written(root, found, options, change, texts)
    lost = _overflowed(root, casting, compact)
    if options.json:
        print(
            json.dumps({"out": options.out, "left_out": done.left_out, "overflow": lost}, indent=2)
        )
        return 0
    words = Words(options.lang)
    ckpt_output.say(options.out, done, options.color, words, names)
    _say_more(lost, lacking, options, words)
    if chosen is whole.root:
        if _within(whole, done.left_out):
            print(words("class_lost"))
        return 0
    if options.out.endswith(".safetensors"):
        _say_copies(root, options.color, words)
    if others := _others(whole, chosen):
        print(words("others_left", others))
    return 0


def _written(
    root: Any,
    found: Checkpoint,
    options: argparse.Namespace,
    change: Change,
    texts: Mapping[str, str],
) -> tuple[Written, list[str]]:
    out = ckpt_output.Out(options.out, options.force)
    if options.max_shard_size:
        return ckpt_output.write_shards(out, root, found, options.max_shard_size, change, texts)
    return ckpt_output.write(out, root, found, "convert", change, texts), [options.out]


def _overflowed(root: Any, casting: Change, compact: Change) -> dict[str, int]:
    """How many finite values of each tensor became infinite, by its name."""
    counts = casting.overflowed if isinstance(casting, Casting) else {}
    named = by_name((path, node) for path, node in walk(root) if isinstance(node, Tensor))
    return {
        name: counts[id(compact(tensor).storage)]
        for name, tensor in named.items()
        if id(compact(tensor).storage) in counts
    }


def _say_more(
    lost: Mapping[str, int], lacking: list[str], options: argparse.Namespace, words: Words
) -> None:
    screen = Screen(sys.stdout, options.color)
    for name, count in lost.items():
        text = words("overflow", count, name=name, dtype=options.dtype)
        screen.show(
            paragraph(text, screen.width, [Piece(words("warning"), "warning"), Piece(words.colon)])
        )
    for each in lacking:
        path, _, number = each.rpartition(": ")
        print(words("part_lacks", int(number), file=path))


def _within(found: Checkpoint, left_out: Collection[str]) -> bool:
    """Whether tensors lie in what was left out."""
    return any(dotted(path[:n]) in left_out for path in found.tensors for n in range(1, len(path)))


def _meant(found: Checkpoint, options: argparse.Namespace) -> Any:
    """What is written: all, or a state dict."""
    wanted = options.weights or options.key or options.max_shard_size
    if not (wanted or options.out.endswith(".safetensors")):
        if name := _pickled(found):
            raise refused("ckpt convert", sentence("tensors_in_object", name=name), options.file)
        return found.root
    if (listed := _listed(found, options.key)) is not None:
        return listed
    candidates = mapping_plans.candidates(found, options.key, "convert")
    keys = mapping_plans.main_state(candidates, "convert")
    node = at(found.root, keys)
    tensors = tensors_of(node)
    state = node.state if isinstance(node, Dict) else None
    return Dict("OrderedDict", [(name, tensors[name]) for name in candidates[keys]], state)


def _listed(found: Checkpoint, key: str) -> Dict | None:
    """Tensors under a name that `show` lists and that is no state dict, as `models.0`: by their dotted names.
    None where a state dict is meant."""
    if not key and states(found.root):
        return None
    if key and any(".".join(keys) == key for keys in states(found.root, again=True)):
        return None
    front = f"{key}." if key else ""
    named = by_name(found.tensors.items())
    below = {
        name.removeprefix(front): each for name, each in named.items() if name.startswith(front)
    }
    if not below and key in named:
        below = {key.rpartition(".")[2]: named[key]}
    whole = not key and isinstance(found.root, Tensor)
    return Dict("OrderedDict", list(below.items())) if below and not whole else None


def _pickled(found: Checkpoint) -> str:
    """The class in whose objects all tensors of the file are; empty where some are in none."""
    classes = {path: str(node.name) for path, node in found.walked if is_object(node)}
    within = [any(path[:n] in classes for n in range(len(path))) for path in found.tensors]
    return next(iter(classes.values())) if within and all(within) else ""


def _others(found: Checkpoint, state: Any) -> int:
    """How many tensors of the file a state dict lacks."""
    kept = {id(tensor) for tensor in tensors_of(state).values()}
    return sum(id(tensor) not in kept for tensor in found.tensors.values())


def _casting(dtype: str) -> Change:
    if not dtype:
        return lambda tensor: tensor
    try:
        return Casting(dtype)
    except ImportError:
        says = sentence("needs_package", what="--dtype", package="NumPy", spec="numpy")
        raise refused("ckpt convert", says) from None


def _say_copies(state: Any, color: str, words: Words) -> None:
    screen = Screen(sys.stdout, color)
    for names in shared(tensors_of(state)):
        text = f"{words.comma.join(names)}{words.colon}{words('copied')}"
        screen.show(paragraph(text, screen.width, [Piece("  ")]))
