"""Error messages: `functional_call` gets other parameters than the module has."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("other-names")
def other_names(failure: Failure) -> Hits:
    module, over, lacks = (failure.groups.get(each) for each in ("module", "over", "lacks"))
    if not lacks:
        yield failure.hit(say("unexpected-names", module=module, over=over))
    elif not over:
        yield failure.hit(say("missing-names", module=module, lacks=lacks))
    else:
        yield failure.hit(say("other-names", module=module, over=over, lacks=lacks))


@explains("no-tensor")
def no_tensor(failure: Failure) -> Hits:
    if failure.passed_through("torch/nn/utils/stateless.py"):
        yield failure.hit(say("what-stands-under-name", came=failure.groups["came"]))
