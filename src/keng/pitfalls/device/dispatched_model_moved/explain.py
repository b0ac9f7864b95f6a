"""Error messages: a model that was quantized or spread over devices as it was loaded is moved or trained as a whole."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("moved")
def moved(failure: Failure) -> Hits:
    says = say("dispatched-model-moved")
    if failure.passed_through("deepspeed/runtime/engine.py"):
        says = say("moved-by-deepspeed")
    elif failure.passed_through("accelerate/big_modeling.py"):
        says = say("moved-by-accelerate")
    yield failure.hit(says)
