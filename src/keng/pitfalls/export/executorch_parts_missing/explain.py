"""Error messages: an ExecuTorch program asks for operators or backends that its runtime does not hold."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("backend-missing")
def backend_missing(failure: Failure) -> Hits:
    yield failure.hit(
        f"the runtime holds no {failure.groups['name']}: build with it and link it whole (--whole-archive, -force_load)"
    )


@explains("operator-missing")
def operator_missing(failure: Failure) -> Hits:
    op = failure.groups["op"]
    what = f"operators of {op} instructions" if op.isdecimal() else f"`{op}`"
    yield failure.hit(
        f"the runtime holds no kernel for {what}: link the library that has it (portable, optimized, quantized or custom ops), of the "
        "release that exported"
    )


@explains("method-not-loaded")
def method_not_loaded(failure: Failure) -> Hits:
    method, code = failure.groups["method"], failure.groups["code"]
    lacks = "an operator" if code == "0x14" else "a backend"
    yield failure.hit(
        f"`{method}` does not load ({code}): the runtime lacks {lacks} of it, named above"
    )
