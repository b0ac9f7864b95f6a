"""Error messages: several copies of PyTorch are installed."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("mixed-with-another")
def mixed_with_another(failure: Failure) -> Hits:
    file = failure.groups["file"] or "torch/_C"
    yield failure.hit(say("mixed-libraries", file=file))
