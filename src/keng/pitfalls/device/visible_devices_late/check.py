"""Source code: cUDA_VISIBLE_DEVICES is set after CUDA has started."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def set_after_the_start(code: Code) -> Hits:
    for assign in code.environment_sets("CUDA_VISIBLE_DEVICES"):
        started = code.starts_cuda_before(assign)
        if started is None or code.starts_processes():
            continue
        line = code.line_of(started)
        says = f"set after line {line} has started CUDA, so it has no effect"
        yield code.hit(assign, says, started=code.text_of(started.func))
