"""The right way, as functions for your own programs: few, small, and no framework.

Where PyTorch or a kept library does the work, a function is a right use of it. The modules are
imported when a name is asked for, so that `from keng.toolbox import seed` costs only what seeding
needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from keng.toolbox.adapting import adapt_channels as adapt_channels
    from keng.toolbox.adapting import load_matching as load_matching
    from keng.toolbox.attribution import saliency as saliency
    from keng.toolbox.channels import channel_report as channel_report
    from keng.toolbox.channels import prune_global as prune_global
    from keng.toolbox.checkpoints import Checkpointer as Checkpointer
    from keng.toolbox.costs import count_cost as count_cost
    from keng.toolbox.datasets.checking import check_dataset as check_dataset
    from keng.toolbox.exporting import export_onnx as export_onnx
    from keng.toolbox.geometry import affine_theta as affine_theta
    from keng.toolbox.meters import Meter as Meter
    from keng.toolbox.meters import reduce_mean as reduce_mean
    from keng.toolbox.modules import freeze as freeze
    from keng.toolbox.modules import unwrap as unwrap
    from keng.toolbox.moving import move_to as move_to
    from keng.toolbox.moving import prefetch as prefetch
    from keng.toolbox.probing import probe as probe
    from keng.toolbox.schedules import warmup_cosine as warmup_cosine
    from keng.toolbox.schedules import warmup_multistep as warmup_multistep
    from keng.toolbox.seeding import seed as seed
    from keng.toolbox.sharding import ShardedIterable as ShardedIterable
    from keng.toolbox.timing import benchmark as benchmark
    from keng.toolbox.tuning.tuning import tune_loader as tune_loader

HOMES = {
    "Checkpointer": "checkpoints",
    "Meter": "meters",
    "ShardedIterable": "sharding",
    "adapt_channels": "adapting",
    "affine_theta": "geometry",
    "benchmark": "timing",
    "channel_report": "channels",
    "check_dataset": "datasets.checking",
    "count_cost": "costs",
    "export_onnx": "exporting",
    "freeze": "modules",
    "load_matching": "adapting",
    "move_to": "moving",
    "prefetch": "moving",
    "probe": "probing",
    "prune_global": "channels",
    "reduce_mean": "meters",
    "saliency": "attribution",
    "seed": "seeding",
    "tune_loader": "tuning.tuning",
    "unwrap": "modules",
    "warmup_cosine": "schedules",
    "warmup_multistep": "schedules",
}
"""The module that holds each name."""

__all__ = sorted(HOMES)


def __getattr__(name: str) -> object:
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(HOMES)
