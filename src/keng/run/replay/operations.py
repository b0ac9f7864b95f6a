"""Every operation of a run, written to a file."""

from __future__ import annotations

import json
import os
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from keng.run import frames
from keng.run.events import RunEnd
from keng.run.recorder import Recorder

if TYPE_CHECKING:
    from torch import Tensor

    from keng.run.state import RunState


class Operation(NamedTuple):
    """`given` and `made` are digests of what went in and what came out; `where` is the user's line."""

    name: str
    given: int
    made: int
    what: str
    module: str
    path: str
    line: int
    step: int


def read(file: Path) -> list[Operation]:
    """Raises OSError where a program ended so that nothing was written."""
    return [Operation(*json.loads(line)) for line in file.read_text("utf-8").splitlines()]


class OperationTrace(Recorder):
    """Sees every operation of this thread from the import of torch to the end, backward included, which
    on the CPU runs in the thread that calls it."""

    def __init__(self, run: RunState, file: Path) -> None:
        super().__init__(run)
        from keng.run.replay.tracing_mode import Mode

        self.file = file
        self.operations: list[Operation] = []
        self.mode = Mode(self._add)
        self.mode.__enter__()  # type: ignore[no-untyped-call]
        self.process = os.getpid()
        self.modules: dict[int, str] = {}

    def _add(self, name: str, given: list[Tensor], made: list[Tensor]) -> None:
        if os.getpid() != self.process:  # a worker of a loader has inherited the mode
            return
        place = frames.here()
        self.operations.append(
            Operation(
                name,
                digest(given),
                digest(made),
                ", ".join(f"{str(t.dtype)[6:]} {tuple(t.shape)}" for t in made[:1]),
                self._module(),
                place.path if place else "",
                place.line if place else 0,
                self.run.step,
            )
        )

    def run_end(self, event: RunEnd) -> None:
        self.mode.__exit__(None, None, None)  # type: ignore[no-untyped-call]
        lines = [json.dumps(operation) for operation in self.operations]
        self.file.write_text("".join(f"{line}\n" for line in lines), "utf-8")

    def _module(self) -> str:
        """The innermost module whose forward runs."""
        import torch

        for frame in _frames():
            inner = frame.f_locals.get("self")
            if frame.f_code.co_name == "forward" and isinstance(inner, torch.nn.Module):
                if id(inner) not in self.modules:
                    self.modules[id(inner)] = self.run.module_name(inner)
                return self.modules[id(inner)]
        return ""


def digest(tensors: list[Tensor]) -> int:
    """Of the bytes of dense tensors; what has no bytes to read counts for nothing."""
    import torch

    value = 0
    for tensor in tensors:
        if type(tensor) in (torch.Tensor, torch.nn.Parameter) and tensor.layout is torch.strided:
            flat = tensor.detach().resolve_conj().resolve_neg().cpu().contiguous().reshape(-1)
            value = zlib.crc32(flat.view(torch.uint8).numpy().data, value)
    return value


def _frames() -> Iterator[Any]:
    frame: Any = sys._getframe(1)
    while frame is not None:
        yield frame
        frame = frame.f_back
