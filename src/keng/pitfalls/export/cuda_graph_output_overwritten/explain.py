"""Error messages: the output of a CUDA graph is kept over the next call."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("overwritten")
def overwritten(failure: Failure) -> Hits:
    yield failure.hit(
        "an output of the last call is used after the next one has overwritten it: clone what is kept, or "
        "torch.compiler.cudagraph_mark_step_begin()"
    )


@explains("while-recording")
def while_recording(failure: Failure) -> Hits:
    yield failure.hit(
        "while a CUDA graph is recorded something waits (.item(), print), copies from the CPU or runs for the first time: keep it out, and "
        "warm up before; where another thread does, capture_error_mode='thread_local'"
    )
