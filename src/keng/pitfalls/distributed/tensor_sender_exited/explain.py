"""Error messages: a tensor in a queue belongs to a process that has ended."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("nobody-answers")
def nobody_answers(failure: Failure) -> Hits:
    if failure.passed_through("torch/multiprocessing/reductions.py"):
        yield failure.hit(say("process-sent-tensor-has"))
