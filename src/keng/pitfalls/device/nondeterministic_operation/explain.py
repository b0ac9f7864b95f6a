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
        yield failure.hit(say("only-warns-warn-only", op=op))
        return
    off = "operation if that's acceptable" in message  # before 1.11
    lightning = failure.contains("lightning") or "deterministic=True" in failure.context
    way = f"torch.{failure.groups['setter']}(False) around it" if off else "warn_only=True"
    other = "a newer PyTorch, which has one" if NEWER.search(op) else "another operation"
    way = "Trainer(deterministic='warn')" if lightning and not off else way
    yield failure.hit(say("has-no-deterministic-form", other=op, way=way, other_2=other))


@explains("cublas-without-workspace")
def cublas_without_workspace(failure: Failure) -> Hits:
    yield failure.hit(say("set-cublas-workspace-config"))
