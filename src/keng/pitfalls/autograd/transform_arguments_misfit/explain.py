"""Error messages: a transform gets arguments of another form than its function has."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-tensors")
def no_tensors(failure: Failure) -> Hits:
    groups = failure.groups
    yield failure.hit(
        f"`{groups['what']}` of {groups['name']} is a {groups['kind']}: a tensor, or a tuple of tensors"
    )
