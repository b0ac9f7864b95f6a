"""Error messages: a layer is made with numbers or words that contradict what it computes."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("function-by-another-name")
def function_by_another_name(failure: Failure) -> Hits:
    came = failure.groups["came"]
    yield failure.hit(
        f"a transformer layer knows 'relu' and 'gelu' by name, and not {came}: give the function, activation=F.{came}"
    )


@explains("attention-of-nothing")
def attention_of_nothing(failure: Failure) -> Hits:
    yield failure.hit(
        f"an attention without features or heads, {failure.groups['sizes']}: from a configuration, perhaps"
    )
