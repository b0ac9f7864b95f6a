"""Options of `keng ckpt convert` that change what is written: which entries, and under which names."""

from __future__ import annotations

import argparse
import re
from contextlib import ExitStack
from typing import Any

from keng._util.texts import sentence, why
from keng.ckpt import editing
from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.nodes import Dict
from keng.ckpt.repair import at
from keng.ckpt.state_dicts import tensors_of
from keng.cli import checkpoint_files, mapping_plans
from keng.cli.commands import Usage, refused
from keng.cli.options import Parser, add_key, add_list, flag

UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
BINARY = {"ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}


def add(parser: Parser) -> None:
    entries = parser.add_argument_group("entries")
    flag(entries, "--weights", "only the state dict")
    add_key(entries, "which state dict, for example `ema`, or any name that `show` lists")
    add_list(
        entries,
        "--drop",
        "PATTERN",
        "leave out entries, for example `optimizer_states` or `head.*`",
    )
    add_list(entries, "--keep", "PATTERN", "write only these entries")
    add_list(entries, "--replace", "PART=FILE", "take the tensors under PART from another file")
    what = "cut views out of large storages, which torch.save writes whole"
    flag(entries, "--compact", what)
    names = parser.add_argument_group("names")
    add_list(names, "--strip-prefix", "PREFIX", "remove PREFIX from the names of tensors")
    add_list(names, "--rename", "OLD=NEW", "replace a part of names, whole between dots")
    what = r"replace what a regular expression matches, for example '^blocks\.(\d+)=layers.\1'"
    add_list(names, "--rename-regex", "REGEX=NEW", what)
    files = parser.add_argument_group("files")
    add_list(files, "--metadata", "KEY=TEXT", "set safetensors metadata; KEY= removes it")
    what = "split into files of at most SIZE, for example 5GB, with an index"
    files.add_argument("--max-shard-size", type=size, default=0, metavar="SIZE", help=what)


def size(text: str) -> int:
    """Bytes of "5GB", "200MiB", "1000". Raises ValueError."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?i?)b?", text.strip().lower())
    unit = {**UNITS, **BINARY}.get(match[2]) if match else None
    if match is None or unit is None or float(match[1]) * unit < 1:
        raise ValueError
    return int(float(match[1]) * unit)


def chosen(found: Checkpoint, options: argparse.Namespace) -> Checkpoint:
    """The checkpoint without what is to be left out. Raises Usage."""
    root = found.root
    try:
        if options.drop:
            root = editing.dropped(root, options.drop)
        if options.keep:
            root = editing.kept(root, options.keep)
    except ValueError as error:
        raise refused("ckpt convert", why(error), options.file) from None
    return found.having(root) if root is not found.root else found


def renamed(root: Any, options: argparse.Namespace) -> Any:
    """The tree under its new names. Raises Usage."""
    changes = [
        *((f"--strip-prefix {each}", editing.stripping, each) for each in options.strip_prefix),
        *((f"--rename {each}", editing.renaming, each) for each in options.rename),
        *((f"--rename-regex {each}", editing.replacing, each) for each in options.rename_regex),
    ]
    try:
        for what, make, text in changes:
            root = editing.renamed(root, make(text), what)
    except ValueError as error:
        raise refused("ckpt convert", why(error), options.file) from None
    return root


def replaced(root: Any, options: argparse.Namespace, files: ExitStack) -> tuple[Any, list[str]]:
    """The tree with parts of other files, and the texts of what these lack. Raises Usage."""
    lacking = []
    for text in options.replace:
        part, equals, path = text.partition("=")
        if not equals or not part or not path:
            raise _not_the_form("--replace", "PART=FILE", text)
        other = checkpoint_files.whole(
            files.enter_context(checkpoint_files.local(path, "convert")), "convert"
        )
        root, count = _with_part(root, part, path, other)
        lacking += [f"{path}: {count}"] if count else []
    return root, lacking


def _with_part(root: Any, part: str, path: str, other: Checkpoint) -> tuple[Any, int]:
    theirs = mapping_plans.main_state(mapping_plans.candidates(other, "", "convert"), "convert")
    tensors = tensors_of(at(other.root, theirs))
    try:
        state = _state_with(root, part)
        made, count = editing.with_part(state, part.rpartition(":")[2], tensors)
    except ValueError as error:
        raise refused("ckpt convert", why(error), f"--replace {part}={path}") from None
    return _put(root, state, made), count


def _state_with(root: Any, part: str) -> Dict:
    """The dict of tensors in which names begin with a part."""
    waiting = [root]
    while waiting:
        node = waiting.pop(0)
        if not isinstance(node, Dict):
            continue
        if any(key.startswith(f"{part.removesuffix('.')}.") for key in tensors_of(node)):
            return node
        waiting += [value for _, value in node.pairs][:1000]
    says = sentence("nothing_under", key=part, has=editing.held_by(root))
    raise editing.NotFound(says)


def _not_the_form(option: str, form: str, text: str) -> Usage:
    return refused("ckpt convert", sentence("not_the_form", option=option, form=form, text=text))


def _put(root: Any, old: Dict, new: Dict) -> Any:
    if root is old:
        return new
    if not isinstance(root, Dict):
        return root
    return Dict(root.kind, [(key, _put(value, old, new)) for key, value in root.pairs], root.state)


def metadata(found: Checkpoint, options: argparse.Namespace) -> dict[str, str]:
    """The texts of the header: those of the file, and what is asked for. Raises Usage."""
    made = dict(found.metadata)
    for text in options.metadata:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise _not_the_form("--metadata", "KEY=TEXT", text)
        made.pop(key, None)
        if value:
            made[key] = value
    if options.metadata and not options.out.endswith(".safetensors"):
        raise refused("ckpt convert", sentence("metadata_needs_safetensors"))
    return made
