"""The whole state of a run, in files that are never half written."""

from __future__ import annotations

import io
import os
import pickle
import random
import re
import sys
import warnings
import zipfile
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from operator import index
from pathlib import Path
from typing import Any

import torch
from torch import distributed, nn

from keng.toolbox.modules import unwrap
from keng.toolbox.ranks import grouped

NAME = re.compile(r"step-(\d+)\.pt")


class Checkpointer:
    """Saves and resumes a run: what it is given by name, and the state of the random numbers.

        checkpoints = Checkpointer("checkpoints", model=model, optimizer=optimizer, schedule=schedule)
        for epoch in range(checkpoints.resume(), EPOCHS):
            ...
            checkpoints.save(epoch + 1)

    It takes whatever has `state_dict` and `load_state_dict` (schedules, GradScaler, an average of the
    weights), and torch.Generator (the loader's: saved between epochs, the order of the samples goes
    on as it would have). Names in the model's state are those of the bare model. Python's, NumPy's and
    PyTorch's random numbers, on the CPU and on the device in use, are kept for each rank.

    A file is written next to its place, flushed to the disk and renamed, so that a crash at any moment
    leaves the last one whole; `keep` of them stay. On resume one that is damaged (by the check sums
    in it) is passed over with a warning. With `background` the state is copied at once and written
    by a thread; `wait` waits for it and raises what went wrong.

    In a distributed run every rank calls `save` and `resume`; rank 0 writes and chooses the file, which
    all must be able to read. Every rank needs to fit the whole state into memory; for sharded models
    see torch.distributed.checkpoint.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        keep: int = 3,
        background: bool = False,
        **objects: Any,
    ) -> None:
        """Raises: TypeError for an object without a state, ValueError where none would be kept."""
        if index(keep) < 1:
            raise ValueError("at least one checkpoint must be kept")
        for name, value in objects.items():
            has = hasattr(value, "state_dict") and hasattr(value, "load_state_dict")
            if not (has or isinstance(value, torch.Generator)) or isinstance(value, type):
                raise TypeError(f"`{name}` has no state: a {type(value).__name__}")
        self.folder = Path(folder)
        self.keep = index(keep)
        self.background = background
        bare = {k: unwrap(v) if isinstance(v, nn.Module) else v for k, v in objects.items()}
        self._shared = {k: v for k, v in bare.items() if not isinstance(v, torch.Generator)}
        self._generators = {k: v for k, v in bare.items() if isinstance(v, torch.Generator)}
        self._thread = ThreadPoolExecutor(1, "checkpointer")
        self._writing: Future[None] | None = None

    def save(self, step: int) -> None:
        """Saves the state after `step` steps (or epochs: whatever you count).

        Raises: ValueError for a step below 0; TypeError where a state holds what `resume` could not
        load, which takes tensors, numbers, texts and containers of them alone (a learning rate of
        type numpy.float64 is none of them: give `float(rate)`).
        """
        step = index(step)
        if step < 0:
            raise ValueError(f"a step cannot be negative: {step}")
        self.wait()
        ranks = _from_all_ranks(self._random_state())
        if _rank() != 0:
            return
        states = {name: value.state_dict() for name, value in self._shared.items()}
        # The copy: the next step changes the tensors in place.
        data = _pickled({"step": step, "states": states, "ranks": ranks})
        if _refused(data):
            for name, state in states.items():
                if why := _refused(_pickled(state)):
                    raise TypeError(f"the state of `{name}` could not be loaded again: {why}")
        self._writing = self._thread.submit(self._write, step, data)
        if not self.background:
            self.wait()

    def wait(self) -> None:
        """Waits for what is being written. Raises: OSError where it could not be."""
        writing, self._writing = self._writing, None
        if writing is not None:
            writing.result()

    def resume(self) -> int:
        """Loads the newest checkpoint that is whole, into the objects as they are, on their devices,
        and returns its step; 0, and nothing changed, where there is none.

        Call it when everything is made, schedules included. Raises: KeyError where the file holds other
        objects than these, and nothing is changed; RuntimeError where one of them has another shape,
        when those given before it are loaded.
        """
        self.wait()
        path = _of_rank_0(self._newest() if _rank() == 0 else None)
        if path is None:
            return 0
        # On the CPU: load_state_dict copies to where each tensor lives.
        saved = torch.load(path, map_location="cpu", weights_only=True)
        known = {*saved["states"], *saved["ranks"][0]["generators"]}
        if missing := {*self._shared, *self._generators} - known:
            holds, wanted = (", ".join(sorted(each)) for each in (known, missing))
            raise KeyError(f"{path} holds {holds}; not {wanted}")
        for name, value in self._shared.items():
            value.load_state_dict(saved["states"][name])
        self._restore_random(saved["ranks"])
        return int(saved["step"])

    def _write(self, step: int, data: io.BytesIO) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"step-{step:08}.pt"
        aside = path.with_suffix(".aside")
        with open(aside, "wb") as file:
            file.write(data.getbuffer())
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
        # Not what comes after this step: damaged, or of a run that was begun again here.
        for old in [each for each in self._paths() if _step(each) <= step][: -self.keep]:
            old.unlink()

    def _paths(self) -> list[Path]:
        """The checkpoints, oldest first."""
        if not self.folder.is_dir():
            return []
        return sorted((p for p in self.folder.iterdir() if NAME.fullmatch(p.name)), key=_step)

    def _newest(self) -> str | None:
        for path in reversed(self._paths()):
            if _is_whole(path):
                return str(path)
            warnings.warn(f"{path} is damaged; an older checkpoint is taken", stacklevel=3)
        return None

    def _random_state(self) -> dict[str, Any]:
        state: dict[str, Any] = {"python": random.getstate(), "torch": torch.get_rng_state()}
        if "numpy" in sys.modules:
            kind, keys, *rest = sys.modules["numpy"].random.get_state()
            state["numpy"] = (kind, keys.tolist(), *rest)
        if torch.cuda.is_initialized():
            state["cuda"] = torch.cuda.get_rng_state()
        state["generators"] = {n: each.get_state() for n, each in self._generators.items()}
        return state

    def _restore_random(self, ranks: list[Mapping[str, Any]]) -> None:
        if len(ranks) != _ranks():
            says = (
                f"saved by {len(ranks)} processes, resumed by {_ranks()}: random numbers begin anew"
            )
            warnings.warn(says, stacklevel=3)
            return
        state = ranks[_rank()]
        random.setstate(state["python"])
        torch.set_rng_state(state["torch"])
        if "numpy" in state:
            import numpy as np

            np.random.set_state(state["numpy"])
        if "cuda" in state and torch.cuda.is_available():
            torch.cuda.set_rng_state(state["cuda"])
        for name, generator in self._generators.items():
            generator.set_state(state["generators"][name])


def _step(path: Path) -> int:
    return int(path.stem[5:])


def _pickled(state: Any) -> io.BytesIO:
    data = io.BytesIO()
    torch.save(state, data)
    data.seek(0)
    return data


def _refused(data: io.BytesIO) -> str:
    """Why torch.load would not load it, "" where it would. On "meta" no tensor is read."""
    try:
        torch.load(data, map_location="meta", weights_only=True)
    except pickle.UnpicklingError as error:
        lines = [line.strip() for line in str(error).splitlines()]
        return next((line for line in lines if "Unsupported" in line), lines[0])
    return ""


def _is_whole(path: Path) -> bool:
    """torch.load notices a file that is cut, and not every byte that has changed."""
    try:
        with zipfile.ZipFile(path) as file:
            return file.testzip() is None
    except (OSError, zipfile.BadZipFile):
        return False


def _rank() -> int:
    return distributed.get_rank() if grouped() else 0


def _ranks() -> int:
    return distributed.get_world_size() if grouped() else 1


def _from_all_ranks(value: Any) -> list[Any]:
    if not grouped():
        return [value]
    values: list[Any] = [None] * _ranks()
    distributed.all_gather_object(values, value)
    return values


def _of_rank_0(value: Any) -> Any:
    if not grouped():
        return value
    values = [value]
    distributed.broadcast_object_list(values)
    return values[0]
