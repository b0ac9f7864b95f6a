"""Error messages: a subclass of `torch.Tensor` lacks what a copy or a parameter of it takes."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("copied-as-another-class")
def copied_as_another_class(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['method']}() of this subclass of Tensor gives another class, so it is not copied: wrap its result again, or define __deepcopy__"
    )


@explains("detached-as-another-class")
def detached_as_another_class(failure: Failure) -> Hits:
    kind, came = failure.groups["kind"], failure.groups["came"]
    yield failure.hit(
        f"nn.Parameter keeps the class, and `{kind}.detach()` gives a {came}: wrap what __torch_dispatch__ gives back"
    )
