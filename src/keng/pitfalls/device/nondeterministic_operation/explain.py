"""Error messages: an operation has no deterministic form, and only such are allowed."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

NEWER = re.compile(
    r"index_(?:add|copy|put)|scatter_add|replication_pad|max_pool3d_with|upsample_(?:bilinear2d|trilinear3d)"
)
"""What has a deterministic form on CUDA in 2.13, and had none in earlier versions."""


@explains("only-at-random")
def only_at_random(failure: Failure) -> Hits:
    op, message = failure.groups["op"], failure.message
    if "warn_only=True)'" in message:
        yield failure.hit(say("only-warns", op=op))
        return
    off = "operation if that's acceptable" in message  # before 1.11
    lightning = failure.contains("lightning") or "deterministic=True" in failure.context
    allow = say("trainer-warn-only") if lightning else say("warn-only")
    if off:
        allow = say("switch-off-around", setter=failure.groups["setter"])
    newer = say("nondeterministic-before-newer", op=op, allow=allow)
    yield failure.hit(newer if NEWER.search(op) else say("nondeterministic", op=op, allow=allow))
