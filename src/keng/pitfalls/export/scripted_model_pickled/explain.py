"""Error messages: a scripted model is saved or copied by pickle."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("goes-through-pickle")
def goes_through_pickle(failure: Failure) -> Hits:
    name = (failure.groups.get("name") or "").rpartition(".")[2]
    yield failure.hit(
        f"a scripted {name or 'module'} does not go through pickle: its own save() and torch.jit.load, or the state dict"
    )
