"""What `keng ckpt match` and `keng ckpt fix` have in common: what is matched with what."""

from __future__ import annotations

import json
import os
import re
import sys
from typing import NamedTuple

from keng._util.texts import listed, sentence, why
from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.editing import held, held_by
from keng.ckpt.mapping import Entries, Entry, Plan, StateErrors, best, matched
from keng.ckpt.nodes import Dict, Tensor
from keng.ckpt.repair import at
from keng.ckpt.state_dicts import entries, states
from keng.ckpt.summary import optimizer_of
from keng.cli import checkpoint_files
from keng.cli.commands import refused
from keng.cli.files import end_of, end_of_stdin
from keng.cli.options import Options, add_key

LOOKED_AT = 1 << 16
SAYS = (b"in state_dict:", b"size mismatch for", b"loading state_dict for")

Candidates = dict[tuple[str, ...], Entries]


class Target(NamedTuple):
    """What the file is to fit: a model, another checkpoint, or what a message tells."""

    name: str
    candidates: Candidates
    errors: StateErrors | None = None


def add_model(options: Options) -> None:
    """The model to be filled, and with what."""
    what = "a function that returns the model"
    options.add_argument("--model", default="", metavar="PKG.MODULE:FACTORY", help=what)
    add_key(options, "which part of the file, for example `ema`")


def candidates(found: Checkpoint, key: str, command: str) -> Candidates:
    """The state dicts of a checkpoint; under `--key` alone, a nesting or the beginning of names.
    Raises Usage where there is none."""
    every = _every(found)
    if not every:
        raise refused(f"ckpt {command}", _why_none(found), found.path)
    if not key:
        return every
    chosen = _chosen(every, key) or _chosen(_every(found, again=True), key)
    if not chosen and at(found.root, tuple(key.split("."))) is not None:
        raise refused(f"ckpt {command}", sentence("no_weights_by_name", key=key))
    if not chosen:
        chosen = _with_word(every, key)
    if not chosen:
        known = [".".join(keys) for keys in every if keys]
        has = held(known) if known else held_by(found.root)
        raise refused(f"ckpt {command}", sentence("nothing_under", key=key, has=has))
    return chosen


def _with_word(every: Candidates, word: str) -> Candidates:
    """Under the keys of which the word is a part: `ema` is that of `model_ema` and of `state_dict_ema`."""
    found = {
        keys: names
        for keys, names in every.items()
        if word in re.split("[_-]", keys[-1] if keys else "")
    }
    return found if len({keys[:-1] for keys in found}) == 1 else {}


def main_state(candidates: Candidates, command: str) -> tuple[str, ...]:
    """The keys of the state dict there is; a few tensors beside it, as of a random state, are none. Raises
    Usage where there are several."""
    most = max(map(len, candidates.values()))
    large = [keys for keys, names in candidates.items() if 2 * len(names) >= most]
    if len(large) > 1:
        names = listed(".".join(keys) or sentence("outermost") for keys in large)
        raise refused(f"ckpt {command}", sentence("which_state_dict", names=names))
    return large[0]


def _every(found: Checkpoint, again: bool = False) -> Candidates:
    return {keys: entries(tensors) for keys, tensors in states(found.root, again).items()}


def _chosen(every: Candidates, key: str) -> Candidates:
    return {keys: named for keys, names in every.items() if (named := _under(keys, names, key))}


def _why_none(found: Checkpoint) -> str:
    if found.broken:
        return found.broken[0]
    if optimizer_of(found.root) is not None:
        return sentence("only_optimizer")
    if isinstance(found.root, Tensor):
        return sentence("one_tensor")
    if isinstance(found.root, list | tuple) and any(isinstance(each, Dict) for each in found.root):
        return sentence("dicts_in_list")
    if found.tensors and isinstance(found.root, list | tuple):
        return sentence("tensors_in_list")
    return sentence("no_named_tensors")


def _under(keys: tuple[str, ...], names: Entries, key: str) -> Entries:
    if ".".join(keys) == key:
        return names
    front = key.removeprefix(".".join([*keys, ""]) if keys else "") + "."
    return {name: entry for name, entry in names.items() if name.startswith(front)}


def message(path: str) -> StateErrors | None:
    """What a text tells that load_state_dict printed; None where the path is no such text."""
    if path == "-":
        return StateErrors.of(end_of_stdin()) if not sys.stdin.isatty() else None
    try:
        if os.path.isdir(path):
            return None
        with open(path, "rb") as file:
            head = file.read(LOOKED_AT)
    except OSError:
        return None
    told = b"\0" not in head and any(each in head for each in SAYS)
    return StateErrors.of(end_of(path)) if told else None


def target(model: str, other: str, command: str) -> Target:
    """Raises Usage."""
    if model:
        from keng.run.model_shapes import NotBuilt, entries_of

        try:
            return Target(model, {(): entries_of(model)})
        except NotBuilt as error:
            raise refused(f"ckpt {command}", error.args[0]) from None
    errors = message(other)
    if errors:
        return Target(other, {(): errors.model}, errors)
    found = checkpoint_files.whole(other, command)
    return Target(other, candidates(found, "", command))


def plan(file: Candidates, wanted: Target) -> Plan:
    """The best there is. Of another checkpoint the state dict is taken that fits best."""
    if wanted.errors is not None:
        return best(file, _as_loaded(file, wanted.errors))
    plans = [best(file, model) for model in wanted.candidates.values()]
    return max(plans, key=lambda plan: plan.score)


def _as_loaded(file: Candidates, errors: StateErrors) -> Entries:
    """The model as a message shows it: what it does not name of the state dict that was loaded fits."""
    named = errors.file
    for names in file.values():
        if named.keys() <= names.keys():
            fitting = {n: Entry(entry.shape) for n, entry in names.items() if n not in named}
            return {**fitting, **errors.model}
    return errors.model


def of_message(errors: StateErrors) -> Plan:
    """A plan from the names alone."""
    return matched(errors.file, errors.model)


def from_json(path: str, command: str) -> Plan:
    """Raises Usage."""
    try:
        with open(path, encoding="utf-8") as file:
            return Plan.of_json(json.load(file))
    except OSError as error:
        raise refused(f"ckpt {command}", why(error), path) from None
    except (ValueError, RecursionError):
        raise refused(f"ckpt {command}", sentence("not_a_plan"), path) from None
