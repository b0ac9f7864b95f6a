"""Error messages: fSDP is asked for what it does not do, or meets a model in another state than it needs."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("of-no-dimension")
def of_no_dimension(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` has no dimension to shard: one dimension of one entry, torch.ones(1)"
    )


@explains("without-its-key")
def without_its_key(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"the state dict has no `{name}`: it is of another wrapping or was renamed by a hook; take and load it under one state_dict_type"
    )
