"""The collectives that this rank has made, from torch's own flight recorder."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import get_ident
from types import FrameType
from typing import Any, NamedTuple, Protocol

import torch
import torch.distributed as dist
from torch._C import _distributed_c10d as c10d

from keng.model import Span
from keng.ranks.calls import Call, Collective
from keng.run.frames import is_user

SIZE = "TORCH_FR_BUFFER_SIZE"
ENTRIES, FULL, FEW = 512, 384, 128
"""Calls that the recorder holds, and new ones after which it is read in time: all that it holds is
handed out at each reading, at some 13 microseconds of CPU an entry. While it holds few, it is read
with each step that is reported."""
DEEPEST = 6
"""Lines of the user's that are kept of a call."""
JOIN = os.path.join("torch", "distributed", "algorithms", "join.py")
DUMPS = ("_dump_fr_trace", "_dump_nccl_trace")


class Read(NamedTuple):
    """The calls since the last reading, and those that are not done yet."""

    calls: tuple[Call, ...] = ()
    waits: tuple[Call, ...] = ()


class Journal(Protocol):
    def read(self) -> Read: ...
    def close(self) -> None: ...


def has_recorder() -> bool:
    """Whether this torch has a flight recorder for every backend (private; 2.13 has)."""
    return hasattr(c10d, DUMPS[0])


def records() -> bool:
    """Whether it is there and, as far as can be determined, switched on."""
    if not has_recorder() or os.environ.get(SIZE) == "0":
        return False
    return pulse() == 0 or bool(FlightRecorder().read().calls)


def lacking() -> list[str]:
    """Private names of torch that ranks are compared by, and that this torch does not have."""
    core = dist.distributed_c10d
    needed = {
        "_world": core,
        "_get_default_store": core,
        "_get_sequence_number_for_group": dist.ProcessGroup,
    }
    return [name for name, owner in needed.items() if not hasattr(owner, name)]


@contextmanager
def recording() -> Iterator[None]:
    """Around the making of a process group: the recorder reads its size from the environment once,
    and stays off where there is none."""
    if SIZE in os.environ or not has_recorder():
        yield
        return
    os.environ[SIZE] = str(ENTRIES)
    try:
        yield
    finally:
        os.environ.pop(SIZE, None)


class FlightRecorder:
    def __init__(self) -> None:
        self._dumps: list[Callable[[], bytes]] = [
            getattr(c10d, name) for name in DUMPS if hasattr(c10d, name)
        ]
        self._seen = [-1] * len(self._dumps)
        self._known: dict[object, Collective] = {}

    def read(self) -> Read:
        calls: list[Call] = []
        waits: list[Call] = []
        for at, dump in enumerate(self._dumps):
            with _importing_nothing():
                dumped = dump()
            # A send and its receive are two calls of two ranks, not one of all: see messages.py.
            entries = [e for e in pickle.loads(dumped)["entries"] if not e["is_p2p"]]
            for entry in entries:
                is_new = entry["record_id"] > self._seen[at]
                if entry["retired"] and not is_new:
                    continue
                group, seconds = entry["process_group"][0], entry["time_created_ns"] / 1e9
                number = int(entry["collective_seq_id"])
                call = Call(group, number, self._collective(entry), seconds)
                if not entry["retired"]:
                    waits.append(call)
                if is_new:
                    calls.append(call)
                self._seen[at] = max(self._seen[at], entry["record_id"])
        return Read(tuple(calls), tuple(waits))

    def close(self) -> None:
        """The recorder is torch's, and records on."""

    def _collective(self, entry: dict[str, Any]) -> Collective:
        """One object for all calls from one place, so that a letter holds it once."""
        frames = tuple((f["filename"], f["line"], f["name"]) for f in entry.get("frames", ()))
        key = (entry["profiling_name"], str(entry["input_sizes"]), *entry["input_dtypes"], frames)
        if key not in self._known:
            shapes = tuple(tuple(shape) for shape in entry["input_sizes"])
            dtype = " ".join(dict.fromkeys(entry["input_dtypes"])).lower()
            op = entry["profiling_name"].partition(":")[2]
            self._known[key] = collective(op, shapes, dtype, frames)
        return self._known[key]


@contextmanager
def _importing_nothing() -> Iterator[None]:
    """To name lines torch asks itself for `_inductor`, which would be imported then and there: for
    seconds, and during an import of it by the program, which fails if the two meet."""
    ours, original = get_ident(), torch.__getattr__

    def found(name: str) -> Any:
        if name == "_inductor" and get_ident() == ours:
            raise AttributeError(name)
        return original(name)

    vars(torch)["__getattr__"] = found
    try:
        yield
    finally:
        vars(torch)["__getattr__"] = original


def collective(
    op: str, shapes: tuple[tuple[int, ...], ...], dtype: str, frames: Iterable[tuple[str, int, str]]
) -> Collective:
    """`frames` are file, line and function, innermost first; the user's are kept."""
    every = tuple(frames)
    users = [frame for frame in every if is_user(frame[0])][:DEEPEST]
    lines = tuple(Span(path, line) for path, line, _ in users)
    joined = any(name == "__exit__" and path.endswith(JOIN) for path, _, name in every)
    return Collective(op, shapes, dtype, lines, users[0][2] if users else "", joined)


def pulse() -> int:
    """How many calls this rank has made in all its groups; next to nothing to ask."""
    groups: Iterable[Any] = dist.distributed_c10d._world.pg_map
    return sum(group._get_sequence_number_for_group() for group in groups)


def progress() -> int:
    """How many calls this rank has made in groups of all ranks, which all make equally often."""
    groups: Iterable[Any] = dist.distributed_c10d._world.pg_map
    world = dist.get_world_size()
    return sum(group._get_sequence_number_for_group() for group in groups if group.size() == world)


def steps_for_join() -> bool:
    """Whether the step that runs now is one that torch's `Join` takes for a rank that is out of inputs."""
    at: FrameType | None = sys._getframe(1)
    while at is not None:
        if at.f_code.co_name == "__exit__" and at.f_code.co_filename.endswith(JOIN):
            return True
        at = at.f_back
    return False


def groups_made() -> int:
    """How many process groups this rank has begun to make, the first one included; 0 where torch does not
    tell."""
    return getattr(dist.distributed_c10d._world, "group_count", 0)


def groups() -> dict[str, tuple[int, ...]]:
    """The ranks of each process group, by its name."""
    world = dist.distributed_c10d._world
    return {
        name: tuple(dist.get_process_group_ranks(group))
        for group, name in world.pg_names.items()
        if group in world.pg_group_ranks
    }
