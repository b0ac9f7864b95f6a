"""Error messages: an ExecuTorch program asks for operators or backends that its runtime does not hold."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("operator-missing")
def operator_missing(failure: Failure) -> Hits:
    op = failure.groups["op"]
    several = say("kernels-missing", count=op)
    yield failure.hit(several if op.isdecimal() else say("kernel-missing", op=op))


@explains("method-not-loaded")
def method_not_loaded(failure: Failure) -> Hits:
    method, code = failure.groups["method"], failure.groups["code"]
    operator = say("method-lacks-operator", method=method, code=code)
    backend = say("method-lacks-backend", method=method, code=code)
    yield failure.hit(operator if code == "0x14" else backend)
