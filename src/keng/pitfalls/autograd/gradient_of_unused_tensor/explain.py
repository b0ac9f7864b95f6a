"""Error messages: a gradient is asked for of a tensor that the result does not depend on."""

from __future__ import annotations

from keng.explain.advice.passes import asked_of_a_constant
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("of-what-has-no-part")
def of_what_has_no_part(failure: Failure) -> Hits:
    yield failure.hit(
        "the result does not depend on a tensor whose gradient is asked for: the very one that went in, and no copy of it "
        "(.to(), clone(), a new x); allow_unused=True where a parameter has no part"
    )


@explains("of-what-records-nothing")
def of_what_records_nothing(failure: Failure) -> Hits:
    there = [o for o in failure.live.operands if not o.requires_grad]
    floats = len(there) == 1 and "float" in there[0].dtype
    fix = failure.mended("recorded", there[0].name) if floats else None
    yield failure.hit(asked_of_a_constant(failure), fix)
