"""Source code: cUDA_VISIBLE_DEVICES is set after CUDA has started."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.pitfalls.device._shared import starts_cuda_before
from keng.rules import finds
from keng.source import Code

STARTS_PROCESSES = (
    "subprocess.",
    "multiprocessing.",
    "torch.multiprocessing.",
    "os.system",
    "os.exec",
)


@finds(mentions=["CUDA_VISIBLE_DEVICES"])
def set_after_the_start(code: Code) -> Hits:
    for assign in _environment_sets(code, "CUDA_VISIBLE_DEVICES"):
        started = starts_cuda_before(code, assign)
        if started is None or _starts_processes(code):
            continue
        line = code.tree.line_of(started)
        says = say("set-after-cuda-start", line=line, value=code.text_of(assign.value))
        yield code.hit(assign, says, started=code.text_of(started.func))


def _starts_processes(code: Code) -> bool:
    """Whether the file starts other processes, which take the environment as it is then."""
    return any(
        code.names.resolve(call.func).startswith(STARTS_PROCESSES) for call in code.of(ast.Call)
    )


def _environment_sets(code: Code, name: str) -> Iterator[ast.Assign]:
    """The statements `os.environ[NAME] = ...`."""
    for assign in code.of(ast.Assign):
        match assign.targets:
            case [ast.Subscript(value=environ, slice=ast.Constant(value=key))] if key == name:
                if code.names.resolve(environ) == "os.environ":
                    yield assign
