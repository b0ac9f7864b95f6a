"""Error messages: a tensor is written as JSON, which has no tensors."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-number")
def no_number(failure: Failure) -> Hits:
    yield failure.hit(
        f"a {failure.groups['kind']} goes into JSON: `x.item()` of one number, `x.tolist()` of several"
    )
