"""Error messages: an ExecuTorch program asks for operators or backends that its runtime does not hold."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("backend-missing")
def backend_missing(failure: Failure) -> Hits:
    yield failure.hit(say("runtime-holds-no-build", name=failure.groups["name"]))


@explains("operator-missing")
def operator_missing(failure: Failure) -> Hits:
    op = failure.groups["op"]
    what = f"operators of {op} instructions" if op.isdecimal() else f"`{op}`"
    yield failure.hit(say("runtime-holds-no-kernel", what=what))


@explains("method-not-loaded")
def method_not_loaded(failure: Failure) -> Hits:
    method, code = failure.groups["method"], failure.groups["code"]
    lacks = "an operator" if code == "0x14" else "a backend"
    yield failure.hit(say("does-not-load-runtime", lacks=method, code=code, lacks_2=lacks))
