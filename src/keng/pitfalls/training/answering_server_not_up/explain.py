"""Error messages: a trainer asks a server of vLLM for answers, and none is up."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("nobody-answers")
def nobody_answers(failure: Failure) -> Hits:
    yield failure.hit(
        f'no server of vLLM answers at {failure.groups["where"]}: `trl vllm-serve` on other cards, the same address and port on both sides, or vllm_mode="colocate"'
    )
