"""Error messages: the model cannot be captured for export."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("made-of-no-tensors")
def made_of_no_tensors(failure: Failure) -> Hits:
    kind = failure.groups["kind"].rpartition(".")[2]
    yield failure.hit(say("goes-or-out-export", kind=kind))
