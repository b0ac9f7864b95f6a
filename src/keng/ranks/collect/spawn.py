"""Processes that torch.multiprocessing.spawn starts: each is watched as the one that starts them."""

from __future__ import annotations

import os
import pickle
from contextlib import suppress
from importlib import import_module
from typing import Any

from keng._util.texts import sentence
from keng.run.plan import Spawned
from keng.run.taps.patches import Patches

MODULE, NAME = "torch.multiprocessing.spawn", "_wrap"
"""What each process runs: a function of the function, its number, its arguments, and a file in which
an error is written for the one that waits. Private since torch 1.0."""


class Watching:
    """Stands for that function. On the way to a new interpreter it leaves torch's own behind, which
    is found there again."""

    def __init__(self, watched: Spawned, original: Any = None) -> None:
        self._watched, self._original = watched, original

    def __reduce__(self) -> tuple[type[Watching], tuple[Spawned]]:
        return Watching, (self._watched,)

    def __call__(self, function: Any, number: int, args: Any, error_file: str) -> None:
        original = self._original or getattr(import_module(MODULE), NAME)
        with self._watched() as end:
            try:
                original(function, number, args, error_file)
            except SystemExit as error:
                end(_ending(error_file, error.code))
                raise


def put_on(watched: Spawned, patches: Patches) -> None:
    module = import_module(MODULE)
    original = getattr(module, NAME)
    setattr(module, NAME, Watching(watched, original))
    patches.later(lambda: setattr(module, NAME, original))


def _ending(error_file: str, code: object) -> str:
    with suppress(OSError, TypeError, ValueError, pickle.UnpicklingError):
        if os.path.getsize(error_file):
            with open(error_file, "rb") as file:
                return sentence("rank_raised", error=pickle.load(file).strip().splitlines()[-1])
    return sentence("rank_exited", code=code)
