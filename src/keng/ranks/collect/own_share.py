"""Evaluations of a rank's own share of the data whose results no collective joins."""

from __future__ import annotations

import ast
import re
from typing import Any

import torch.distributed as dist
from torch.utils.data import DistributedSampler

from keng.ranks.reports import Share
from keng.run.frames import here
from keng.run.user_code import running

MAIN = re.compile(
    r"\brank\s*==\s*0|get_rank\(\)\s*==\s*0|\bis_main\w*|\bis_master\w*|\bif not (local_)?rank\b"
)
"""Asks whether this is the rank that prints."""
JOINS = re.compile(
    r"\b(gather|i?send|reduce_scatter|all_to_all|gather_for_metrics)\w*\(|torchmetrics|\brpc\b"
)
"""Joins results in a way that is not counted as a collective of all ranks."""
OWN = re.compile(r"\{(self\.)?(local_|global_)?rank\b|\{dist\.get_rank\(\)")
"""Names what is printed or saved by the rank."""


def share_of(sampler: Any) -> Share | None:
    """Where the loop that takes batches now computes a metric that rank 0 alone prints."""
    if not isinstance(sampler, DistributedSampler) or sampler.num_replicas < 2:
        return None
    found = running()
    if found is None or sampler.num_replicas != dist.get_world_size():
        return None
    code, body, _ = found
    text = code.text
    if not MAIN.search(text) or JOINS.search(text) or OWN.search(text):
        return None
    if not _counts(body):
        return None
    size: int = len(sampler.dataset)  # type: ignore[arg-type]
    return Share(size, sampler.num_samples, here())


def _counts(body: ast.AST) -> bool:
    """Whether a function adds up, or takes a sum or a mean."""
    for node in ast.walk(body):
        match node:
            case ast.AugAssign(op=ast.Add()):
                return True
            case ast.Call(func=ast.Attribute(attr="sum" | "mean") | ast.Name(id="sum")):
                return True
    return False
