"""Source code: the host waits for the GPU once for every parameter."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def one_wait_a_parameter(code: Code) -> Hits:
    for loop, name in code.parameter_loops() if code.cuda_calls else ():
        for call in code.reads_in(loop):
            text = code.text_of(call)
            yield code.hit(call, f"`{text}` waits for the GPU once for every `{name}`")
