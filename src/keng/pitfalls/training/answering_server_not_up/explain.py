"""Error messages: a trainer asks a server of vLLM for answers, and none is up."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("nobody-answers")
def nobody_answers(failure: Failure) -> Hits:
    yield failure.hit(say("no-server-vllm-answers", where=failure.groups["where"]))
