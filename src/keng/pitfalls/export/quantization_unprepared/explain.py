"""Error messages: a model is prepared for quantization in the wrong mode, or with layers that do not fuse."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-fused")
def not_fused(failure: Failure) -> Hits:
    kinds = ", ".join(re.findall(r"\.(\w+)'>", failure.groups["kinds"]))
    yield failure.hit(say("there-no-fused-layer", kinds=kinds))
