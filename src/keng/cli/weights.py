"""What the commands have in common that compute with the weights of several checkpoints."""

from __future__ import annotations

import argparse
import importlib.util
from contextlib import ExitStack

from keng._util.texts import sentence
from keng.ckpt.arithmetic import Loaded
from keng.ckpt.checkpoint import Checkpoint
from keng.ckpt.repair import at
from keng.ckpt.state_dicts import tensors_of
from keng.cli import checkpoint_files, mapping_plans
from keng.cli.commands import refused


def need_numpy(command: str) -> None:
    """Raises Usage."""
    if importlib.util.find_spec("numpy") is None:
        says = sentence("command_needs_package", package="NumPy", spec="numpy")
        raise refused(f"ckpt {command}", says)


def loaded(
    name: str, key: str, command: str, options: argparse.Namespace, files: ExitStack
) -> Loaded:
    """The state dict of a file. Raises Usage."""
    path = files.enter_context(checkpoint_files.local(name, command))
    found = checkpoint_files.whole(path, command)
    checkpoint_files.warn(found, name, options)
    if found.byteorder == "big":
        raise refused(f"ckpt {command}", sentence("big_endian_numbers"), name)
    candidates = mapping_plans.candidates(found, key, command)
    keys = mapping_plans.main_state(candidates, command)
    tensors = tensors_of(at(found.root, keys))
    return Loaded(name, found, {each: tensors[each] for each in candidates[keys]})


def with_files(first: Checkpoint, *others: Checkpoint) -> Checkpoint:
    """The first, with the files of all, none of which is written to."""
    made = first.having(first.root)
    made.files = (*first.files, *(file for other in others for file in other.files))
    return made
