"""Error messages: a layer is made with numbers or words that contradict what it computes."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("function-by-another-name")
def function_by_another_name(failure: Failure) -> Hits:
    came = failure.groups["came"]
    yield failure.hit(say("transformer-layer-knows-relu", came=came))


@explains("attention-of-nothing")
def attention_of_nothing(failure: Failure) -> Hits:
    yield failure.hit(say("attention-without-features-or", sizes=failure.groups["sizes"]))
